import type { ReadModelStore } from '#documents';
import { withCalls } from '#testing';
import type { Intercept } from '../support/intercept.js';

/** What of a store is asked over a line; the rest belongs to its start and its end. */
const CALLS: readonly string[] = [
  'insert',
  'get',
  'replace',
  'delete',
  'find',
  'scan',
  'count',
  'deleteExpired',
  'getGuarded',
  'putGuarded',
  'clear',
];

/** A store at the other end of a line. Calls: `find mandates-v1-1`, and so the others. */
export const lined = (store: ReadModelStore, line: Intercept): ReadModelStore =>
  withCalls(store, (name, call) =>
    CALLS.includes(name)
      ? (...args) => line(`${name} ${typeof args[0] === 'string' ? args[0] : 'all'}`, () => call(...args))
      : call,
  );
