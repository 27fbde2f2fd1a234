import { type PauseEvent, pauseEvents, streamType } from '#events';
import type { Decider } from '#kernel';
import { heldBy, type Pause } from './pause.state.js';

export type PauseCommand =
  /** All agents are to be stopped; once more where nobody knows that they are. */
  | { readonly type: 'StartPause' }
  /** Every agent is stopped by this pause. */
  | { readonly type: 'CompletePause'; readonly pause: number }
  | { readonly type: 'EndPause' };

/** The rules of `pause-<holder>`: agents that come later read here that they are paused (docs/consistency.md, rule 41). */
export const pauseDecider: Decider<Pause, PauseCommand, PauseEvent> = {
  initialState: () => ({ pause: 0, phase: 'none', since: null }),

  decide: (command, state) => {
    const held = heldBy(state);
    switch (command.type) {
      case 'StartPause':
        if (state.phase === 'paused') return [];
        return [{ type: 'AgentsPauseStarted', data: { pause: held ?? state.pause + 1, startedAt: command.now } }];
      case 'CompletePause': {
        const { pause, now } = command;
        const isUnderWay = state.phase === 'starting' && state.pause === pause;
        return isUnderWay ? [{ type: 'AgentsPaused', data: { pause, pausedAt: now } }] : [];
      }
      case 'EndPause':
        return held === undefined ? [] : [{ type: 'AgentsResumed', data: { pause: held, resumedAt: command.now } }];
    }
  },

  evolve: (_, { type, data }) => {
    switch (type) {
      case 'AgentsPauseStarted':
        return { pause: data.pause, phase: 'starting', since: data.startedAt };
      case 'AgentsPaused':
        return { pause: data.pause, phase: 'paused', since: data.pausedAt };
      case 'AgentsResumed':
        return { pause: data.pause, phase: 'resumed', since: data.resumedAt };
    }
  },
};

/** `pause-<holder>`: whether a traveller has paused all of their agents at once. A few events a traveller. */
export const pauses = streamType({
  category: 'pause',
  id: (holder: string) => holder,
  events: pauseEvents,
  decider: pauseDecider,
});
