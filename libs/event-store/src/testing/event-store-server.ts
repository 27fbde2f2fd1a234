import { randomUUID } from 'node:crypto';
import process from 'node:process';

/** The EventStoreDB to test against, if there is one: the tests that need it say when they are skipped. */
export const serverUrl = process.env['EVENTSTORE_URL'] ?? null;

/** A namespace of its own for one run, so that a server can be used again. */
export const newNamespace = (): string => `t-${randomUUID().slice(0, 8)}`;

/** Tells that tests are skipped, loudly: the runner tells it only when asked. */
export const tellSkipped = (what: string): void => {
  process.stderr.write(`${what} skipped: EVENTSTORE_URL is not set\n`);
};
