import { appendFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { apiAt, tokensFor } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import { bodyOf, book, buy, grant, TRIP_PRICE } from '../support/purchase.js';
import { startProcess } from '../support/real-process.js';
import { newFolder, removeFolder, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it copies the files of a folder');

const KEY_ENCRYPTION_KEY = 'ab'.repeat(32);
const BUYERS = 4;
const ENOUGH = 12;

let [folder, place]: [string, string] = ['', ''];
beforeEach(async () => {
  [folder, place] = [await newFolder(), await newFolder()];
});
afterEach(async () => {
  await removeFolder(folder);
  await removeFolder(place);
});

/** A service under load, killed once `work` is done; answers the orders that were answered with 201 before it began, and the token. */
const whileBuying = async (work: () => Promise<void>) => {
  const service = await startProcess(folder, { KEY_ENCRYPTION_KEY });
  const { access_token: token } = await tokensFor(service.origin);
  const ana = apiAt(service.origin, token);
  const paid: string[] = [];
  let isOver = false;
  let tell: () => void = () => undefined;
  const enough = new Promise<void>((resolve) => (tell = resolve));
  const buyers = Array.from({ length: BUYERS }, async () => {
    const mandate = await grant(ana, TRIP_PRICE * 100);
    while (!isOver) {
      const order = await buy(ana, await book(ana), mandate).catch(() => null); // it is killed meanwhile
      if (order && paid.push(order.id) === ENOUGH) tell();
    }
  });
  await enough;
  const before = [...paid];
  await work();
  isOver = true;
  await service.end('SIGKILL');
  await Promise.allSettled(buyers);
  return { before, token };
};

describe('a backup that was taken under load', () => {
  it('holds every order that was answered before it, and the service goes on from it', async () => {
    const [into, restored] = [join(place, 'backup'), join(place, 'data')];
    const environment = { KEY_ENCRYPTION_KEY };
    const { before, token } = await whileBuying(async () => {
      const { code, stdout } = await alcada(folder, ['backup', into], { environment });
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^Backed up\.\n[^]*THIS FOLDER IS A SECRET: .*encrypted,/),
      ]);
    });
    expect((await stat(into)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(into)) expect((await stat(join(into, name))).mode & 0o777).toBe(0o600);
    await rm(folder, { recursive: true });

    const check = await alcada(restored, ['restore', '--check', into], { environment });
    expect([check.code, check.stdout]).toEqual([0, expect.stringMatching(/^The backup is sound\.\n/)]);
    await expect(stat(restored)).rejects.toThrow('ENOENT');
    expect(await readdir(into)).toEqual(['backup.json', 'documents.db', 'events.db']);

    const done = await alcada(restored, ['restore', into, '--json'], { environment });
    expect([done.code, JSON.parse(done.stdout)]).toMatchObject([0, { restoredInto: restored, keys: 'encrypted' }]);
    const service = await startService(restored, environment);
    try {
      const ana = apiAt(service.origin, token);
      for (const id of before) expect(bodyOf(await ana.get(`/orders/${id}/receipt`), 200)).toHaveProperty('receiptId');
      await buy(ana, await book(ana), await grant(ana, TRIP_PRICE));
    } finally {
      await service.stop();
    }
    expect(await alcada(restored, ['audit', 'verify'], { environment })).toMatchObject({ code: 0 });
    expect(await alcada(restored, ['restore', into], { environment })).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('is not empty'),
    });
  });
});

describe('a backup that is not whole', () => {
  it('is found out by its check, and restores nothing', async () => {
    const service = await startService(folder);
    await service.stop();
    const [into, restored] = [join(place, 'backup'), join(place, 'data')];
    const made = await alcada(folder, ['backup', into]);
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('IN CLEAR (KEY_ENCRYPTION_KEY is not set)')]);
    expect(await alcada(folder, ['backup', into])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('is not empty'),
    });
    const nowhere = await alcada(join(place, 'nowhere'), ['backup', join(place, 'other')]);
    expect([nowhere.code, nowhere.stderr]).toEqual([78, expect.stringContaining('there is no data in')]);

    await appendFile(join(into, 'events.db'), 'x');
    expect(await alcada(restored, ['restore', '--check', into])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('events.db is damaged'),
    });
    await rm(join(into, 'backup.json'));
    expect(await alcada(restored, ['restore', into])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('one that was interrupted'),
    });
    await expect(stat(restored)).rejects.toThrow('ENOENT');
  });

  it('is not taken of servers, whose own tools are named', async () => {
    const environment = { EVENTSTORE_URL: 'esdb://stores.example:2113', MONGODB_URL: 'mongodb://stores.example:27017' };
    for (const args of [
      ['backup', join(place, 'x')],
      ['restore', '--check', join(place, 'x')],
    ]) {
      const { code, stderr } = await alcada(folder, args, { environment });
      expect([code, stderr]).toEqual([78, expect.stringMatching(/mongodump[^]*EventStoreDB/)]);
    }
  });
});
