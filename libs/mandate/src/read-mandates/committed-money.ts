import type { ReadModelStore } from '#documents';
import { type Instant, type Money, plus, sumOfEach } from '#kernel';
import { remainingOf, reservedOf } from '../mandate.state.js';
import type { MandateListItem } from './mandates.projection.js';

/** What the open mandates of a holder may still charge, in the two parts of it. One amount a currency, reais first. */
export interface Committed {
  /** Set aside for orders under way. */
  readonly reserved: readonly Money[];
  /** What they may reserve beside it. */
  readonly available: readonly Money[];
  /** false: there are more open mandates than were counted. */
  readonly isExact: boolean;
}

/** The longest validity of a mandate, in milliseconds (docs/decisions.md, Mandate): none that began earlier is open. */
const LONGEST = 10_080 * 60_000;
/** Open mandates that are counted: an agent has a hundred at most, unless that limit is switched off. */
const MOST = 500;

/** What a holder's agents may still charge, by a collection of mandates: of those in force and of those that are paused. */
export const committedOf = async (
  store: ReadModelStore,
  collection: string,
  { holder, now }: { readonly holder: string; readonly now: Instant },
): Promise<Committed> => {
  const running = { field: 'expiresAt', atLeast: plus(now, 1) };
  const found = await store.find<MandateListItem>(collection, {
    where: [
      { field: 'holder', equals: holder },
      { field: 'startsAt', atLeast: plus(now, -LONGEST) },
    ],
    anyOf: (['open', 'paused'] as const).map((phase) => [{ field: 'phase', equals: phase }, running]),
    sort: { field: 'startsAt', direction: 'descending' },
    limit: MOST + 1,
  });
  const open = found.slice(0, MOST).map(({ body }) => body);
  const sumsOf = (amounts: readonly Money[]) => sumOfEach(amounts.filter(({ amount }) => amount > 0));
  return {
    reserved: sumsOf(open.map(reservedOf)),
    available: sumsOf(open.map(remainingOf)),
    isExact: found.length <= MOST,
  };
};
