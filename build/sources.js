import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Test files, contract suites, what libs lend to tests, and all of `test`: the program has none of them. */
const OF_TESTS = /^test\/|\.(spec|contract)\.ts$|\/testing\//;

const typescript = (root) => (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.ts'));

/** The sources of the program below `root`. */
export const sourcesOfProgram = (root) =>
  ['apps', 'libs'].flatMap(typescript(root)).filter((path) => !OF_TESTS.test(path));

/** The sources of its tests. */
export const sourcesOfTests = (root) =>
  ['apps', 'libs', 'test'].flatMap(typescript(root)).filter((path) => OF_TESTS.test(path));

/** What the program reads beside its modules: the files that nest-cli.json lists; `*` stands for a part of a file's name. */
export const assets = (root) => {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'nest-cli.json'), 'utf8'));
  return compilerOptions.assets.flatMap((pattern) => {
    const [before, after] = basename(pattern).split('*');
    const matches = (name) => (after === undefined ? name === before : name.startsWith(before) && name.endsWith(after));
    return readdirSync(join(root, dirname(pattern)))
      .filter(matches)
      .map((name) => join(dirname(pattern), name));
  });
};
