/** A capability as one of two who negotiate has it. */
export interface Offered {
  readonly versions: readonly string[];
  /** Its parents, of which one is enough; none: it needs none. */
  readonly extends: readonly string[];
}

/** What both can do, with the latest version that both know (UCP 2026-04-08, Intersection Algorithm). */
export const inCommon = (
  ours: ReadonlyMap<string, Offered>,
  theirs: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, string> => {
  const shared = [...ours].flatMap(([name, { versions }]) => {
    const [latest] = versions
      .filter((version) => theirs.get(name)?.includes(version))
      .toSorted()
      .toReversed();
    return latest === undefined ? [] : [[name, latest] as const];
  });
  return withoutOrphans(ours, new Map(shared));
};

/** Takes out what extends nothing that is left, until nothing more goes. */
const withoutOrphans = (
  ours: ReadonlyMap<string, Offered>,
  shared: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> => {
  const isOrphan = (name: string): boolean => {
    const parents = ours.get(name)?.extends ?? [];
    return parents.length > 0 && !parents.some((parent) => shared.has(parent));
  };
  const left = new Map([...shared].filter(([name]) => !isOrphan(name)));
  return left.size === shared.size ? left : withoutOrphans(ours, left);
};
