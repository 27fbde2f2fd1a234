/** Loaded before the program: counts the calls of its own functions, and says how many there were when it is asked. */
import { Session } from 'node:inspector/promises';
import process from 'node:process';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('message', async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const own = result.filter(({ url }) => /\/builds\/[^/]+\/(apps|libs)\//.test(url));
  const calls = own.map(({ functions }) => functions.reduce((sum, { ranges: [range] }) => sum + range.count, 0));
  process.send?.({
    files: calls.filter((count) => count > 0).length,
    calls: calls.reduce((sum, count) => sum + count, 0),
  });
});
