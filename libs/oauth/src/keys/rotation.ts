import { type Instant, plus } from '#kernel';
import { LIFETIMES } from '../oauth-settings.js';

/** How soon (ms) after it was made a key signs: by then every process that meets its `kid` finds it. */
const SIGNS_AFTER = 500;
/** How much longer (ms) than its last token a key verifies: until every process signs with the next, and for clocks that differ. */
const SLACK = 60_000;

interface Dated {
  readonly createdAt: Instant;
}

/** Until when a key verifies whose successor was made at this instant: all it signed has expired by then. */
export const verifiesUntil = ({ createdAt }: Dated): Instant => plus(createdAt, LIFETIMES.accessToken + SLACK);

/** Of all keys, newest first, those that sign or verify at `now`: the newest ones. */
export const inForce = <Key extends Dated>(now: Instant, newestFirst: readonly Key[]): readonly Key[] => {
  const end = newestFirst.findIndex((successor) => now >= verifiesUntil(successor)) + 1;
  return end === 0 ? newestFirst : newestFirst.slice(0, end);
};

/** Of the keys in force, newest first, the one that signs at `now`; undefined where there is none. */
export const signerAt = <Key extends Dated>(now: Instant, newestFirst: readonly Key[]): Key | undefined =>
  newestFirst.find(({ createdAt }) => plus(createdAt, SIGNS_AFTER) <= now) ?? newestFirst.at(-1);
