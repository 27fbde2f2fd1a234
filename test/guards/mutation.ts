/**
 * A guard that is taken out, as a patch of one source file: what `docs/consistency.md` calls it, and who has to notice that
 * it is gone.
 */
export interface Mutation {
  /** The rule of docs/consistency.md that the guard holds. */
  readonly rule: number;
  /** The guard as the list there names it. */
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
