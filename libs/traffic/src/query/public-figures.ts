import type { Instant } from '#kernel';
import { certainAgents } from '../capture/agent-hashes.js';
import { startOf } from '../figures/buckets.rule.js';
import type { BucketFigures, PairFigures } from '../agent-traffic.projection.js';
import { OTHER } from '../figures/names.rule.js';

/** A family of fewer agents than this is not told by its name: it could tell of one of them. */
const FEWEST = 5;

/** The figures of a bucket as they may be told: the calls and agents of families that may not be named are of `other`. */
export interface PublicFigures {
  readonly start: Instant;
  readonly calls: readonly PairFigures[];
  readonly agents: readonly (readonly [family: string, hashes: readonly string[]])[];
}

/** Families large enough to be named on a UTC day, by the day's start and the family. */
export type LargeFamilies = ReadonlySet<string>;

const keyOf = (day: Instant, family: string): string => `${day} ${family}`;

/** The families that are large enough on some days. */
export const largeFamilies = (days: readonly BucketFigures[]): LargeFamilies =>
  new Set(
    days.flatMap(({ start, agents }) =>
      Object.entries(agents).flatMap(([family, hashes]) =>
        certainAgents(hashes) < FEWEST ? [] : [keyOf(start, family)],
      ),
    ),
  );

/**
 * Some figures as one answer may tell them. A family goes by its name for the days on which it is large: that depends on
 * nothing that is asked, so no two answers differ by the calls of a few. Nor does one answer name it for fewer in all.
 */
export const publicFigures = (figures: readonly BucketFigures[], large: LargeFamilies): readonly PublicFigures[] => {
  const byDay = figures.map(({ start, calls, agents }) => {
    const day = startOf('day', start);
    const told = { start, calls: Object.values(calls), agents: Object.entries(agents) };
    return renamed(told, (family) => large.has(keyOf(day, family)));
  });
  const inAll = agentsByFamily(byDay);
  const named = new Set([...inAll].flatMap(([family, hashes]) => (certainAgents(hashes) < FEWEST ? [] : [family])));
  return byDay.map((one) => renamed(one, (family) => named.has(family)));
};

const renamed = ({ start, calls, agents }: PublicFigures, isNamed: (family: string) => boolean): PublicFigures => {
  const nameOf = (family: string): string => (isNamed(family) ? family : OTHER);
  return {
    start,
    calls: calls.map((pair) => (isNamed(pair.family) ? pair : { ...pair, family: OTHER })),
    agents: agents.map(([family, hashes]) => [nameOf(family), hashes] as const),
  };
};

/** The agents of each family, as it is told. */
export const agentsByFamily = (figures: readonly PublicFigures[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const known = new Map<string, Set<string>>();
  for (const [family, hashes] of figures.flatMap(({ agents }) => agents)) {
    const ofFamily = known.get(family) ?? new Set();
    known.set(family, ofFamily);
    for (const hash of hashes) ofFamily.add(hash);
  }
  return known;
};
