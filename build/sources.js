import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The tree that this file belongs to. */
export const ROOT = join(import.meta.dirname, '..');

/** Test files, contract suites, what libs lend to tests, and all of `test`: the program has none of them. */
const OF_TESTS = /^test\/|\.(spec|contract)\.ts$|\/testing\//;

const read = (path) => readFileSync(join(ROOT, path));
const json = (path) => JSON.parse(read(path));

const typescriptIn = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.ts'));

/** What the program reads beside its modules: what nest-cli.json lists. `*` stands for a part of a file's name. */
const assets = () =>
  json('nest-cli.json').compilerOptions.assets.flatMap((pattern) => {
    const [before, after] = basename(pattern).split('*');
    const isMeant = (name) => (after === undefined ? name === before : name.startsWith(before) && name.endsWith(after));
    return readdirSync(join(ROOT, dirname(pattern)))
      .filter(isMeant)
      .map((name) => join(dirname(pattern), name));
  });

/** The package.json of a build: its modules find one another in it by the names that ours gives them. */
const manifest = () => {
  const { name, version, type, imports } = json('package.json');
  const inside = Object.entries(imports).map(([key, path]) => [key, path.replace('./dist/', './')]);
  return JSON.stringify({ name, version, private: true, type, imports: Object.fromEntries(inside) }, null, 2);
};

/** What is built: the program alone, or the program with its tests. */
const FOLDERS = { program: ['apps', 'libs'], tests: ['apps', 'libs', 'test'] };

/** Everything that a build reads, by path, and the name that this gives to the folder of the build. */
export const sourcesOf = (kind) => {
  const paths = FOLDERS[kind].flatMap(typescriptIn).filter((path) => kind === 'tests' || !OF_TESTS.test(path));
  const sources = new Map([...paths, ...assets()].sort().map((path) => [path, read(path)]));
  sources.set('package.json', manifest());
  const digest = createHash('sha256');
  const builders = readdirSync(import.meta.dirname).map((name) => join(import.meta.dirname, name));
  for (const path of builders) digest.update(readFileSync(path));
  digest.update(read('package-lock.json')); // the compiler, the bundler, and what is bundled
  for (const [path, content] of sources) digest.update(`${path}\0${content.length}\0`).update(content);
  return { name: `${kind}-${digest.digest('hex').slice(0, 16)}`, sources };
};
