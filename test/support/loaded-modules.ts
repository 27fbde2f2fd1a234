import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A thread of a process, with the sources of all that it loaded, in the tree of the built program; `main`: its first one. */
export interface LoadedThread {
  readonly main: boolean;
  /** Files that Node read: of a bundle one for many sources. */
  readonly files: number;
  /** Paths from the root of the tree. */
  readonly sources: readonly string[];
}

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}

/** What the threads of an ended process loaded, by `NODE_V8_COVERAGE`. `tree`: where `dist` and `node_modules` are. */
export const loadedThreads = (folder: string, tree: string): readonly LoadedThread[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith('coverage-'))
    .map((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage;
      const files = result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
      const sources = new Set(files.flatMap(sourcesOf).map((url) => relative(tree, fileURLToPath(url))));
      return { main: name.endsWith('-0.json'), files: files.length, sources: [...sources] };
    });

/** What a loaded file was made of, by the map beside it; itself where it has none. */
const sourcesOf = (url: string): readonly string[] => {
  const map = `${fileURLToPath(url)}.map`;
  if (!existsSync(map)) return [url];
  const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { readonly sources: readonly string[] };
  return sources.map((source) => new URL(source, url).href);
};
