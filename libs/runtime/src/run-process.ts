import { constants } from 'node:os';
import { type Config, readConfig } from '#config';
import type { Logger } from 'pino';
import { createLogger } from './logger.js';
import { EX_CONFIG, operatorMessage } from './operator-message.js';

/** How long (ms) a process may take to stop; container runtimes kill it after ten seconds. */
const STOP_LIMIT = 9_500;
/** A second signal this soon (ms) after the first is the same one: npm passes on what the terminal sends to both. */
const SAME_SIGNAL = 500;

interface Running {
  /** Finishes what runs and closes the stores. */
  readonly stop: () => Promise<void>;
}

/**
 * Runs a service in this process until a signal ends it: reads the configuration, starts, and writes `banner` to standard
 * error. A start that fails ends the process with a message for the operator.
 */
export const runProcess = async <Service extends Running>(
  start: (config: Config, logger: Logger) => Promise<Service>,
  banner: (config: Config, service: Service) => string,
): Promise<void> => {
  try {
    const config = readConfig();
    const logger = createLogger(config.logLevel);
    const stopWith = endBySignal(logger);
    const service = await start(config, logger);
    stopWith(service.stop);
    // Whoever reads this may end the process at once.
    process.stderr.write(banner(config, service));
  } catch (error) {
    exitOnFailedStart(error);
  }
};

/**
 * Ends this process on SIGTERM and SIGINT: at once while it starts, later when `stop` is done or its time is over. A second
 * signal ends it at once. Returns the function that sets `stop`.
 */
const endBySignal = (logger: Logger): ((stop: () => Promise<void>) => void) => {
  let stop = (): Promise<void> => Promise.resolve();
  let stoppingSince: number | null = null;
  const end = (signal: 'SIGTERM' | 'SIGINT'): void => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > SAME_SIGNAL) process.exit(128 + constants.signals[signal]);
      return;
    }
    stoppingSince = performance.now();
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('stopped before everything was finished');
      process.exit(1);
    }, STOP_LIMIT).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  return (newStop) => (stop = newStop);
};

/** Says why the process cannot start and ends it: with what the operator can change, or else with the stack of the fault. */
const exitOnFailedStart = (error: unknown): never => {
  const message = operatorMessage(error);
  const fault = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`alcada cannot start: ${message ?? fault ?? ''}\n`);
  process.exit(message === null ? 1 : EX_CONFIG);
};
