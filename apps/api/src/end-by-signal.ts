import { constants } from 'node:os';
import type { Logger } from 'pino';

/** How long (ms) a process may take to stop; container runtimes kill it after ten seconds. */
const AT_MOST = 9_500;
/** How soon (ms) after the first a second signal is the same one: npm passes on what the terminal sent to both. */
const SAME_SIGNAL = 500;

/**
 * Ends this process at SIGTERM and SIGINT: while it starts at once, afterwards once what runs is finished, or else when its
 * time is over; at a second signal at once. Answers what to tell how to stop.
 */
export const endBySignal = (logger: Logger): ((stop: () => Promise<void>) => void) => {
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
    }, AT_MOST).unref();
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
  return (better) => (stop = better);
};
