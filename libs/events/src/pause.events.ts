import { z } from 'zod';
import { type EventOf, instant } from './schema.js';

/** The number of a traveller's pause of everything: it begins with 1, and each that follows an end has the next. */
export const pauseNumber = z.int().positive();

/** Events of `pause-<holder>`: whether a traveller has paused all of their agents at once (rule 41). */
export const pauseEvents = {
  /** From here on every agent is being stopped. Once more with the same number: somebody goes on with it. */
  AgentsPauseStarted: z.object({ pause: pauseNumber, startedAt: instant }),
  /** Every agent is stopped: until it is undone nothing opens and nothing is reserved. */
  AgentsPaused: z.object({ pause: pauseNumber, pausedAt: instant }),
  AgentsResumed: z.object({ pause: pauseNumber, resumedAt: instant }),
};

export type PauseEvent = EventOf<typeof pauseEvents>;
