import { readConfig } from '#config';
import { banner } from './banner.js';
import { endBySignal } from './end-by-signal.js';
import { exitOnFailedStart } from './failed-start.js';
import { createLogger } from './logger.js';
import { startApi } from './start.js';

try {
  const config = readConfig();
  const logger = createLogger(config.logLevel);
  const stopWith = endBySignal(logger);
  const api = await startApi(config, logger);
  stopWith(api.stop);
  // Who reads this may end the process at once.
  process.stderr.write(banner(config, api.origin));
} catch (error) {
  exitOnFailedStart(error);
}
