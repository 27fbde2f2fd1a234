/** A step at one instant between `start` and `end` (ms; Infinity: unknown, or never). `isLook`: changes nothing. */
export interface Step<State> {
  readonly start: number;
  readonly end: number;
  readonly isLook: boolean;
  readonly fits: (state: State) => boolean;
  readonly apply: (state: State) => void;
  readonly undo: (state: State) => void;
  /** For who reads a history that no order explains. */
  readonly says: string;
}

/** What a search came to. `undecided`: it was given up. `stuck`: the steps that could not be placed where it came furthest. */
export type Verdict =
  | { readonly kind: 'linearizable' }
  | { readonly kind: 'undecided' }
  | { readonly kind: 'broken'; readonly stuck: readonly string[] };

/** How many sets of steps a search looks at before it gives up. */
const BOUND = 300_000;

/**
 * Whether some order of the steps explains what everybody saw: each step after those that had ended when it started (Herlihy
 * and Wing). The search is that of Wing and Gong, with Lowe's memory of the sets of steps it has come to: the state follows
 * from the set alone, since what has been added can be added in any order. A step that only looks is never better placed
 * later than as soon as it agrees, so no other place is tried for it.
 */
export const linearizable = <State>(steps: readonly Step<State>[], state: State, bound = BOUND): Verdict => {
  const placed = new Uint8Array(steps.length);
  const visited = new Set<string>();
  let furthest = -1;
  let stuck: readonly string[] = [];

  /** The earliest end among what is not placed: nothing that started later can come next. */
  const frontier = (): number =>
    steps.reduce((end, step, place) => (placed[place] ? end : Math.min(end, step.end)), Infinity);
  const candidates = (isLook: boolean): number[] => {
    const end = frontier();
    const found: number[] = [];
    for (const [place, step] of steps.entries())
      if (!placed[place] && step.isLook === isLook && step.start <= end && step.fits(state)) found.push(place);
    return found.sort((one, other) => (steps[one]?.end ?? 0) - (steps[other]?.end ?? 0));
  };
  /** Places every look that agrees, again and again, since each may let later ones start; answers which. */
  const look = (): number[] => {
    const looked: number[] = [];
    for (let found = candidates(true); found.length > 0; found = candidates(true)) {
      for (const place of found) placed[place] = 1;
      looked.push(...found);
    }
    return looked;
  };
  const isDone = (): boolean => frontier() === Infinity;
  const remember = (): void => {
    const count = placed.reduce((sum, one) => sum + one, 0);
    if (count <= furthest) return;
    furthest = count;
    const end = frontier();
    stuck = steps.filter((step, place) => !placed[place] && step.start <= end).map(({ says }) => says);
  };
  /** true: an order was found; null: given up. */
  const search = (): boolean | null => {
    const looked = look();
    const answer = isDone() || go();
    if (answer !== true) for (const place of looked) placed[place] = 0;
    return answer;
  };
  const go = (): boolean | null => {
    const key = Buffer.from(placed).toString('latin1');
    if (visited.has(key)) return false;
    if (visited.size >= bound) return null;
    visited.add(key);
    remember();
    for (const place of candidates(false)) {
      const step = steps[place];
      if (!step) continue;
      placed[place] = 1;
      step.apply(state);
      const answer = search();
      if (answer !== false) return answer;
      step.undo(state);
      placed[place] = 0;
    }
    return false;
  };
  const answer = search();
  if (answer === null) return { kind: 'undecided' };
  return answer ? { kind: 'linearizable' } : { kind: 'broken', stuck };
};
