import type { AuditedEvent } from '../audited-event.js';
import { type MandateState, type ReportBreach, statusAt } from './mandate-state.js';
import { isTraveller } from './members.js';

/** By itself and with everything (`ofAll`, a pause's number) a mandate is paused apart, and by no pause that was undone (rule 41). */
export const pause = (state: MandateState, ofAll: unknown, at: string, report: ReportBreach): void => {
  const isAgain = typeof ofAll === 'number' ? ofAll <= state.pause : state.isPaused;
  if (isAgain || !['valid', 'paused', 'exhausted'].includes(statusAt(state, at)))
    report('life', 'paused, and not in force');
  if (typeof ofAll !== 'number') state.isPaused = true;
  else [state.pause, state.isPausedWithAll] = [ofAll, true];
};

export const resume = (state: MandateState, ofAll: unknown, at: string, report: ReportBreach): void => {
  const isPaused = typeof ofAll === 'number' ? state.isPausedWithAll && state.pause <= ofAll : state.isPaused;
  if (!isPaused || statusAt(state, at) !== 'paused') report('life', 'resumed, and not paused');
  if (typeof ofAll !== 'number') state.isPaused = false;
  else [state.pause, state.isPausedWithAll] = [ofAll, false];
};

/** Which travellers have paused everything: from the last word of a pause on nothing is reserved, whichever agent asks. */
export class Pauses {
  private readonly complete = new Set<string>();

  next({ stream, type, metadata }: AuditedEvent, report: ReportBreach): void {
    const holder = stream.slice('pause-'.length);
    if (!isTraveller(metadata.actor, holder)) report('actor', `${type} by another than its traveller`);
    if (type === 'AgentsPaused') this.complete.add(holder);
    else this.complete.delete(holder);
  }

  reserved({ holder }: MandateState, report: ReportBreach): void {
    if (this.complete.has(holder)) report('while-paused', 'reserved while its traveller had paused everything');
  }
}
