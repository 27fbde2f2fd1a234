import type { FixedClock } from '#testing';
import type { ReadModelStore } from '../read-model-store.port.js';

/** What a contract case works with, new for each. */
export interface Setting {
  readonly store: ReadModelStore;
  readonly clock: FixedClock;
}

/** The running case's setting. */
export type SettingOf = () => Setting;
