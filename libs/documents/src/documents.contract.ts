import type { Clock } from '#kernel';
import { FixedClock, tellSkipped } from '#testing';
import type { ItWith, Lack, Setting } from './contract/setting.contract.js';
import { bodiesContract } from './contract/bodies.contract.js';
import { collectionsContract } from './contract/collections.contract.js';
import { expiryContract } from './contract/expiry.contract.js';
import { findContract } from './contract/find.contract.js';
import { guardedContract } from './contract/guarded.contract.js';
import { modelContract } from './contract/model.contract.js';
import { pagesContract } from './contract/pages.contract.js';
import { writesContract } from './contract/writes.contract.js';
import type { ReadModelStore } from './read-model-store.port.js';

// A store that deletes by the system's time (MongoDB's TTL) must not find anything expired before the case does.
const FAR_FUTURE = '2999-01-01T00:00:00.000Z';

const emptied = async (store: ReadModelStore): Promise<void> => {
  for (const collection of await store.collections('')) await store.drop(collection);
};

/** What every adapter of the document port does. `open` returns an empty store, which the suite empties after each case and closes. `lacks`: what its server says that it cannot do. */
export const documentsContract = (
  name: string,
  open: (clock: Clock) => Promise<ReadModelStore>,
  empty: (store: ReadModelStore) => Promise<unknown> = emptied,
  lacks: readonly Lack[] = [],
): void => {
  for (const lack of lacks) tellSkipped(`what needs ${lack}`, `the server of ${name} has none`);
  const itWith: ItWith = (needed) => (lacks.includes(needed) ? it.skip : it);
  describe(`documents in ${name}`, () => {
    let setting: Setting | undefined;
    const settingOf = (): Setting => {
      if (!setting) throw new Error('no case is running');
      return setting;
    };
    beforeAll(async () => {
      const clock = new FixedClock(FAR_FUTURE);
      setting = { clock, store: await open(clock) };
    });
    afterEach(() => empty(settingOf().store));
    afterAll(() => settingOf().store.close());

    writesContract(settingOf, itWith);
    bodiesContract(settingOf);
    expiryContract(settingOf);
    findContract(settingOf);
    modelContract(settingOf);
    pagesContract(settingOf);
    guardedContract(settingOf);
    collectionsContract(settingOf, itWith);
  });
};
