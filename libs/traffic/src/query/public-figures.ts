import type { Instant } from '#kernel';
import type { BucketFigures, PairFigures } from '../agent-traffic.projection.js';
import { certainAgents } from '../capture/agent-hashes.js';
import { startOf } from '../figures/buckets.rule.js';
import { OTHER } from '../figures/names.rule.js';

/** A family with fewer agents is not published by its name, because its figures could identify one of them. */
const MIN_AGENTS = 5;

/** The figures of a bucket as they may be published: families that may not be named count under `other`. */
export interface PublicFigures {
  readonly start: Instant;
  readonly calls: readonly PairFigures[];
  readonly agents: readonly (readonly [family: string, hashes: readonly string[]])[];
}

/** Families large enough to be named on a UTC day, by the start of the day and the family. */
export type LargeFamilies = ReadonlySet<string>;

const isLarge = (hashes: Iterable<string>): boolean => certainAgents(hashes) >= MIN_AGENTS;
const keyOf = (day: Instant, family: string): string => `${day} ${family}`;

/** The families that are large enough on some days. */
export const largeFamilies = (days: readonly BucketFigures[]): LargeFamilies =>
  new Set(
    days.flatMap(({ start, agents }) =>
      Object.entries(agents)
        .filter(([, hashes]) => isLarge(hashes))
        .map(([family]) => keyOf(start, family)),
    ),
  );

/**
 * Figures as one answer may publish them. A family is named for the days on which it is large. That does not depend on the
 * request, so no two answers differ by the calls of a few agents. A family too small in the whole answer is not named
 * either.
 */
export const publicFigures = (figures: readonly BucketFigures[], large: LargeFamilies): readonly PublicFigures[] => {
  const byDay = figures.map(({ start, calls, agents }) => {
    const day = startOf('day', start);
    const all = { start, calls: Object.values(calls), agents: Object.entries(agents) };
    return renameOthers(all, (family) => large.has(keyOf(day, family)));
  });
  const named = new Set([...agentsByFamily(byDay)].filter(([, hashes]) => isLarge(hashes)).map(([family]) => family));
  return byDay.map((one) => renameOthers(one, (family) => named.has(family)));
};

const renameOthers = (
  { start, calls, agents }: PublicFigures,
  isNamed: (family: string) => boolean,
): PublicFigures => ({
  start,
  calls: calls.map((pair) => (isNamed(pair.family) ? pair : { ...pair, family: OTHER })),
  agents: agents.map(([family, hashes]) => [isNamed(family) ? family : OTHER, hashes] as const),
});

/** The hashed agents of each published family. */
export const agentsByFamily = (figures: readonly PublicFigures[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const known = new Map<string, Set<string>>();
  for (const [family, hashes] of figures.flatMap(({ agents }) => agents)) {
    const ofFamily = known.get(family) ?? new Set();
    known.set(family, ofFamily);
    for (const hash of hashes) ofFamily.add(hash);
  }
  return known;
};
