import asyncHooks from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';

/**
 * Runs a test file as Node runs any program: it imports what was built (build.js), and a module that
 * several test files import is loaded once in a worker. Jest's own loader would load each module anew for every file, which
 * took longer than the tests. Everything else is Jest's: this hands its runner (jest-circus) a small runtime in place of
 * the one that transforms and sandboxes.
 */
const require = createRequire(import.meta.url);

let runs = 0;

/** What the runner of a file keeps its state in. Each that is not ended makes every promise of the files after it dearer. */
const storages = [];
class EndedStorage extends asyncHooks.AsyncLocalStorage {
  constructor() {
    super();
    storages.push(this);
  }
}
const { AsyncLocalStorage } = asyncHooks;

/** Node 24 keeps no list of them that every promise goes through, and lets nobody put another in its place. */
const isListed = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage').writable === true;
const putStorage = (Storage) => {
  if (isListed) asyncHooks.AsyncLocalStorage = Storage;
};

/** The parts of jest-runtime that jest-circus calls. */
const nativeRuntime = ({ rootDir }) => ({
  /** Each test file has a runner of its own: the one before has handlers and a state of its file. */
  requireInternalModule: (path) => {
    Reflect.deleteProperty(require.cache, path);
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
    putStorage(EndedStorage);
    try {
      return require(path);
    } finally {
      putStorage(AsyncLocalStorage);
    }
  },
  requireModule: require,
  setGlobalsForRuntime: (globals) => Object.assign(globalThis, globals),
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path) => {
    const { href } = pathToFileURL(join(process.env.TESTS_ARE_IN, relative(rootDir, path).replace(/\.ts$/, '.js')));
    runs += 1; // in watch mode a file runs again
    return import(`${href}?run=${runs}`);
  },
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
});

/** CPU time (ms) of this worker, all its threads, and (where Linux tells it) the processes that it started and that ended. */
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + ofChildren();
};

const ofChildren = () => {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10; // cutime and cstime, in hundredths of a second
  } catch {
    return 0;
  }
};

export default async (globalConfig, config, environment, _runtime, path, send) => {
  const before = cpu();
  const result = await circus.default(globalConfig, config, environment, nativeRuntime(config), path, send);
  for (const storage of storages.splice(0)) storage.disable();
  return { ...result, cpu: cpu() - before };
};
