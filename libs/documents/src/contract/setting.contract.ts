import type { FixedClock } from '#testing';
import type { ReadModelStore } from '../read-model-store.port.js';

/** What a contract case works with: a store without collections, and its time, which only goes forwards. */
export interface Setting {
  readonly store: ReadModelStore;
  readonly clock: FixedClock;
}

/** The running case's setting. */
export type SettingOf = () => Setting;
