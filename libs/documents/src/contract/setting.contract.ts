import type { FixedClock } from '#testing';
import type { ReadModelStore } from '../read-model-store.port.js';

/** What a contract case works with: a store without collections, and its time, which only goes forwards. */
export interface Setting {
  readonly store: ReadModelStore;
  readonly clock: FixedClock;
}

export type SettingOf = () => Setting;

/** What a server may lack though it speaks the protocol of an adapter. */
export type Lack = 'unique indexes of some documents only' | 'codes for what is not there';

/** `it`, or its skipping where a server lacks what the case is about. */
export type ItWith = (needed: Lack) => typeof it | typeof it.skip;
