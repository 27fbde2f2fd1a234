/** A guard that is taken out, as a patch of one file: which rule it holds, and who has to notice. */
export interface Mutation {
  /** The rule of docs/consistency.md that the guard holds. */
  readonly rule: number;
  /** What the guard is, in a few words. */
  readonly name: string;
  /** The source file, from the root of the repository. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly from: string;
  /** What stands there without the guard. */
  readonly to: string;
  /** The test that fails without it. Absent: the simulator alone holds it. */
  readonly spec?: string;
  /** Why the simulator cannot notice it. Absent: it has to. */
  readonly beyond?: string;
}

/** What stands in the source, what stands there without the guard, and why the simulator cannot notice it. */
type Change = readonly [from: string, to: string, beyond?: string];

/** Guards of one rule in one file that one test holds (null: the simulator alone), by their names. */
export const guards = (
  rule: number,
  file: string,
  spec: string | null,
  changes: Readonly<Record<string, Change>>,
): readonly Mutation[] =>
  Object.entries(changes).map(([name, [from, to, beyond]]) => ({
    ...{ rule, name, file, from, to },
    ...(spec !== null && { spec }),
    ...(beyond !== undefined && { beyond }),
  }));
