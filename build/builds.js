import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { ROOT, sourcesOf, stampOf } from './sources.js';

/**
 * A folder for each build, named by the digest of its sources and never changed: what runs from one goes on finding there
 * what it began with. `dist` leads to the newest of the program.
 */
const BUILDS = join(ROOT, 'builds');
const DIST = join(ROOT, 'dist');
/** Who runs from which: a file for each process, named by its id. */
const RUNNING = join(BUILDS, 'running');
/** So many of each kind are kept, whoever runs. */
const KEPT = 2;

export const folderOf = (name) => join(BUILDS, name);

export const isBuilt = (name) => fs.existsSync(folderOf(name));

/** The newest sources, built: by this call, which says so, where they are not. The folder stays as long as this process lives. */
export const inUse = (kind) => {
  for (;;) {
    const name = nameOf(kind);
    noteRunning(name);
    if (isBuilt(name)) {
      makeNewest(kind, name);
      return folderOf(name);
    }
    // In a process of its own: the compiler would stay in the memory of the program.
    const { status } = spawnSync(process.execPath, [join(ROOT, 'build/build.js'), kind], { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
};

/** The name of the build of the newest sources, which are read only where a file is not as it was when they were last. */
const nameOf = (kind) => {
  const stamp = stampOf(kind);
  const noted = join(BUILDS, 'stamps', kind);
  const [known, named] = fs.existsSync(noted) ? fs.readFileSync(noted, 'utf8').split(' ') : [];
  if (stamp !== null && stamp === known) return named;
  const { name } = sourcesOf(kind);
  if (stamp !== null) note(noted, `${stamp} ${name}`);
  return name;
};

/** Has `write` fill a new folder, which gets its name once it is whole: nobody sees half a build, and of two the first stays. */
export const publish = async (kind, name, write) => {
  const folder = unfinished('build');
  for (const needed of [RUNNING, folder]) fs.mkdirSync(needed, { recursive: true });
  await write(folder);
  try {
    fs.renameSync(folder, folderOf(name));
  } catch (error) {
    if (!isBuilt(name)) throw error;
    fs.rmSync(folder, { recursive: true });
  }
  makeNewest(kind, name);
  removeOld();
};

/** Sources may again be what they were before the last build. */
export const makeNewest = (kind, name) => {
  if (newestFirst(kind)[0] !== name) fs.utimesSync(folderOf(name), new Date(), new Date());
  if (kind === 'program') lead(join('builds', name));
};

/** Has `dist` lead to a build, where it does not: the link changes in one step, and replaces a folder of former times. */
const lead = (target) => {
  const found = fs.lstatSync(DIST, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && fs.readlinkSync(DIST) === target) return;
  if (found?.isDirectory()) remove(DIST);
  const link = unfinished('dist');
  fs.symlinkSync(target, link, 'dir');
  fs.renameSync(link, DIST);
};

/** Removes all but the last builds of each kind and those that somebody runs from, and what processes that died left behind. */
const removeOld = () => {
  const used = fs.readdirSync(RUNNING).flatMap((pid) => {
    if (isAlive(pid)) return fs.readFileSync(join(RUNNING, pid), 'utf8');
    fs.rmSync(join(RUNNING, pid), { force: true });
    return [];
  });
  const old = ['program', 'tests'].flatMap((kind) => newestFirst(kind).slice(KEPT));
  const left = fs.readdirSync(BUILDS).filter((name) => {
    const [, pid] = /^unfinished-(\d+)-/.exec(name) ?? [];
    return pid !== undefined && !isAlive(pid);
  });
  for (const name of [...old.filter((one) => !used.includes(one)), ...left]) remove(folderOf(name));
};

/** A folder that goes loses its name first: nobody finds half of it. */
const remove = (folder) => {
  const aside = unfinished('old');
  try {
    fs.renameSync(folder, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return; // somebody else did
    throw error;
  }
  fs.rmSync(aside, { recursive: true, force: true });
};

const newestFirst = (kind) =>
  fs
    .readdirSync(BUILDS)
    .filter((name) => name.startsWith(`${kind}-`))
    .map((name) => ({ name, time: fs.statSync(folderOf(name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => other.time - one.time)
    .map(({ name }) => name);

/** What this process has not finished, or does away with. */
const unfinished = (what) => join(BUILDS, `unfinished-${process.pid}-${what}`);

const noteRunning = (name) => note(join(RUNNING, String(process.pid)), name);

/** Writes a small file whole, or not at all. Who may not write here may still run what is built. */
const note = (path, text) => {
  const written = unfinished('note');
  try {
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(written, text);
    fs.renameSync(written, path);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
};

const isAlive = (pid) => {
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};
