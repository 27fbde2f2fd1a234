import { readConfig } from '#config';
import { banner } from './banner.js';
import { createLogger } from './logger.js';
import { operatorMessage } from './operator-message.js';
import { startApi } from './start.js';

/** Exit code of a process that cannot run as it is configured (BSD sysexits, EX_CONFIG). */
const EX_CONFIG = 78;

try {
  const config = readConfig();
  const logger = createLogger(config.logLevel);
  const api = await startApi(config, logger);

  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    void api.stop().then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // Who reads this may end the process at once.
  process.stderr.write(banner(config, api.origin));
} catch (error) {
  const told = operatorMessage(error);
  const fault = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`alcada cannot start: ${told ?? fault ?? ''}\n`);
  process.exit(told === null ? 1 : EX_CONFIG);
}
