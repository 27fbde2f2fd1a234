import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
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

/** The files of a build, in one order, and what else it depends on: the compiler, the bundler, and what is bundled. */
const filesOf = (kind) => {
  const paths = FOLDERS[kind].flatMap(typescriptIn).filter((path) => kind === 'tests' || !OF_TESTS.test(path));
  const builders = readdirSync(import.meta.dirname).map((name) => join('build', name));
  return { built: [...paths, ...assets()].sort(), beside: [...builders, 'package-lock.json'] };
};

/** Everything that a build reads, by path, and the name that this gives to the folder of the build. */
export const sourcesOf = (kind) => {
  const { built, beside } = filesOf(kind);
  const sources = new Map(built.map((path) => [path, read(path)]));
  sources.set('package.json', manifest());
  const digest = createHash('sha256');
  for (const path of beside) digest.update(read(path));
  for (const [path, content] of sources) digest.update(`${path}\0${content.length}\0`).update(content);
  return { name: `${kind}-${digest.digest('hex').slice(0, 16)}`, sources };
};

/** A file that is written to twice within this time (ns) may have the same times both times. */
const TICK = 1_000_000_000n;

/** What changes with every write to a source, without reading any; null: one was written to just now. */
export const stampOf = (kind) => {
  const { built, beside } = filesOf(kind);
  const digest = createHash('sha256');
  const now = BigInt(Date.now()) * 1_000_000n;
  for (const path of [...built, ...beside, 'package.json', 'nest-cli.json']) {
    const { size, mtimeNs, ctimeNs, ino } = statSync(join(ROOT, path), { bigint: true });
    if (ctimeNs > now - TICK) return null;
    digest.update(`${path}\0${size} ${mtimeNs} ${ctimeNs} ${ino}\0`);
  }
  return digest.digest('hex');
};
