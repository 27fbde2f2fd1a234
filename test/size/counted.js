/** Loaded before the program: counts the calls of its own functions, by the source file of each, and says so when it is asked. */
import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const scripts = new Map();
/** The lines of a built script with the offset of each, and where they come from. */
const scriptAt = (url) => {
  if (!scripts.has(url)) {
    const file = fileURLToPath(url);
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
    let offset = 0;
    const starts = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => (offset += line.length + 1) - line.length - 1);
    scripts.set(url, { map, starts });
  }
  return scripts.get(url);
};

const sourceOf = (url, offset) => {
  if (!existsSync(`${fileURLToPath(url)}.map`)) return ''; // the bundler's own
  const { map, starts } = scriptAt(url);
  const line = starts.findLastIndex((start) => start <= offset);
  return map.findEntry(line, offset - starts[line]).originalSource ?? '';
};

process.on('message', async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = new Set();
  let calls = 0;
  for (const { url, functions } of result.filter((script) => script.url.includes('/builds/')))
    for (const {
      ranges: [{ startOffset, count }],
    } of functions) {
      const source = count > 0 ? sourceOf(url, startOffset) : '';
      if (!/\/(?:apps|libs)\/[^?]*\.tsx?$/.test(source)) continue;
      files.add(source);
      calls += count;
    }
  process.send?.({ files: files.size, calls });
});
