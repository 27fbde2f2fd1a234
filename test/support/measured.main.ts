import { startService } from './service.js';

const { DATA_DIR = '', TRUST_PROXY } = process.env;

/** A service in a process of its own, which tells whoever started it what the CPU has spent on it so far, in ms. */
const { origin } = await startService(DATA_DIR, TRUST_PROXY === undefined ? {} : { TRUST_PROXY });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1_000);
});
process.send?.(origin);
