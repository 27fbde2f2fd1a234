/** Builds the program, or with `tests` as its argument the program with its tests, unless its sources are built already. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { folderOf, isBuilt, makeNewest, publish } from './builds.js';
import { bundle } from './bundle.js';
import { compile } from './compile.js';
import { ROOT, sourcesOf } from './sources.js';

const kind = process.argv[2] ?? 'program';
const { name, sources } = sourcesOf(kind);

/** Writes what is made of every source into `folder`: its code, or, of what is no TypeScript, the file as it stands. */
const write = async (folder) => {
  const put = (path, content) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const make = async ([path, content]) => {
    if (!path.endsWith('.ts')) return put(path, content);
    const made = path.replace(/\.ts$/, '.js');
    const target = join(folderOf(name), made); // where it stays: maps lead from there to the sources
    const { code, map } = await compile(content.toString(), join(ROOT, path), target);
    put(made, code);
    put(`${made}.map`, map);
  };
  await Promise.all([...sources].map(make));
  await bundle(folder);
};

if (isBuilt(name)) makeNewest(kind, name);
else {
  process.stderr.write(`Building the ${kind} into ${relative(ROOT, folderOf(name))}\n`);
  await publish(kind, name, write);
}
