import { setTimeout as sleep } from 'node:timers/promises';
import process from 'node:process';
import { LoneProjector } from './testing/lone-projector.js';
import { closed, opened } from './testing/delegation-log.js';
import { openMandates, TOTAL } from './testing/open-mandates.projection.js';
import { documentsIn, newCollection, openSetting } from './testing/setting.js';
import { STORES } from './testing/stores.js';

const WRITERS = 32;
/** How long (s) they write; a minute by hand. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 1);

describe(`read models under many writers, on ${STORES}`, () => {
  it(
    `hold every event once after ${WRITERS} writers wrote for ${SECONDS} seconds`,
    async () => {
      const { log, store, clock, close } = await openSetting();
      const fail = (_: string, error: unknown): never => {
        throw error;
      };
      const project = (collection: string) => {
        const projector = new LoneProjector(openMandates, collection, {
          events: log.store,
          store,
          clock,
          onError: fail,
        });
        projector.start();
        return projector;
      };
      const alone = await newCollection(store);
      const shared = await newCollection(store);
      const late = await newCollection(store);
      const projectors = [project(alone), project(shared), project(shared)];

      let appended = 0;
      const end = performance.now() + SECONDS * 1_000;
      const write = async (writer: number): Promise<void> => {
        for (let n = 0; n < 2 || performance.now() < end; n += 1) {
          const mandate = `m${writer}-${n}`;
          await log.appendTo(writer, opened(mandate));
          await log.appendTo(writer, closed(mandate, n));
          appended += 2;
        }
      };
      const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
      await sleep(SECONDS * 500); // so that there is a history to catch up with while they write on
      projectors.push(project(late));
      await writing;
      const last = await log.appendTo(WRITERS, opened('the last'));

      for (const projector of projectors) await projector.caughtUp(last);
      for (const projector of projectors) await projector.stop();
      const folded = await log.folded();
      const counted = { opened: appended / 2 + 1, closed: appended / 2 };
      expect(appended).toBeGreaterThan(WRITERS * 2);
      expect(folded[TOTAL]).toMatchObject(counted);
      for (const collection of [alone, shared, late]) expect(await documentsIn(store, collection)).toEqual(folded);
      await close();
    },
    SECONDS * 3_000 + 60_000,
  );
});
