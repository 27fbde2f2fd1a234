import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startService } from './service.js';

const { DATA_DIR = '', TRUST_PROXY } = process.env;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const spent = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const held = (): number => {
  collectGarbage();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + Math.max(external, arrayBuffers);
};

/** A service in a process of its own that reports its CPU time (ms), or the bytes that it holds (`held`). */
const { origin } = await startService(DATA_DIR, TRUST_PROXY === undefined ? {} : { TRUST_PROXY });
process.on('message', (asked) => process.send?.(asked === 'held' ? held() : spent()));
process.send?.(origin);
