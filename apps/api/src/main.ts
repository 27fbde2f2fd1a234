import { InvalidCatalog } from '#catalog';
import { InvalidConfig, readConfig } from '#config';
import { AheadOfLog } from '#read-models';
import { UnusableFile } from '#sqlite';
import { banner } from './banner.js';
import { createLogger } from './logger.js';
import { startApi } from './start.js';

/** Exit code of a process that cannot run as it is configured (BSD sysexits, EX_CONFIG). */
const EX_CONFIG = 78;

try {
  const config = readConfig();
  const logger = createLogger(config.logLevel);
  const api = await startApi(config, logger);
  process.stderr.write(banner(config, api.origin));

  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    void api.stop().then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
} catch (error) {
  const isOperatorError = [InvalidConfig, InvalidCatalog, UnusableFile, AheadOfLog].some(
    (kind) => error instanceof kind,
  );
  const told = error instanceof Error ? (isOperatorError ? error.message : error.stack) : String(error);
  process.stderr.write(`alcada cannot start: ${told ?? ''}\n`);
  process.exit(isOperatorError ? EX_CONFIG : 1);
}
