/** Whether a traveller has paused everything, as an agent or a mandate knows of it. */
export interface HeldByAll {
  readonly pause: number;
  /** false: it was undone. */
  readonly isOn: boolean;
}

/** Whether a pause stops what knows of this one: none that came late stops again what was undone. */
export const holds = (pause: number, known: HeldByAll | undefined): boolean => !known || known.pause < pause;

/** Whether the end of a pause lets go what is held: a later pause goes on holding it. */
export const ends = (pause: number, known: HeldByAll | undefined): boolean =>
  known !== undefined && known.isOn && known.pause <= pause;

/** The state of `pause-<holder>`. `starting`: not every agent is known to be stopped. */
export interface Pause {
  /** The number of the last one; 0: there was none. */
  readonly pause: number;
  readonly phase: 'none' | 'starting' | 'paused' | 'resumed';
  /** When it began, or ended. */
  readonly since: string | null;
}

/** The number of the pause that holds everything, be it not yet everywhere; undefined: none does. */
export const heldBy = ({ pause, phase }: Pause): number | undefined =>
  phase === 'starting' || phase === 'paused' ? pause : undefined;
