import process from 'node:process';

/** Tells that tests are skipped, and why, loudly: the runner names them only when it is asked to. */
export const tellSkipped = (what: string, why: string): void => {
  process.stderr.write(`SKIPPED ${what}: ${why}\n`);
};
