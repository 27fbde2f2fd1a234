import { createHash } from 'node:crypto';
import { appendFile, chmod, copyFile, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningApi } from '../../apps/api/src/start.js';
import type { Manifest } from '../../apps/cli/src/backup/backup.js';
import { nodeCrypto } from '#transparency';
import {
  appendLeaf,
  base64,
  decodeBundle,
  EMPTY,
  entriesPath,
  leafHash,
  parseVerifierKey,
  policyOf,
  rootOf,
  tilePath,
  verifyCheckpoint,
} from '#verifier';
import { apiAt, tokensFor } from '../support/agent.js';
import { alcada, failure } from '../support/alcada.js';
import { bodyOf, book, buy, grant, TRIP_PRICE } from '../support/purchase.js';
import { startProcess } from '../support/real-process.js';
import { sealed } from '../support/sealed.js';
import { newFolder, removeFolder, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it copies the files of a folder');

const { sha256 } = nodeCrypto;
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

/** A service under load, killed once `work` is done; returns the orders that were answered with 201 before it began, and the token. */
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
      expect((await apiAt(service.origin, token).get('/orders')).status).toBe(401); // who knows whether it was revoked since
      const ana = apiAt(service.origin, (await tokensFor(service.origin)).access_token);
      for (const id of before) expect(bodyOf(await ana.get(`/orders/${id}/receipt`), 200)).toHaveProperty('receiptId');
      await buy(ana, await book(ana), await grant(ana, TRIP_PRICE));
    } finally {
      await service.stop();
    }
    expect(await alcada(restored, ['audit', 'verify'], { environment })).toMatchObject({ code: 0 });
    expect(await alcada(restored, ['restore', into], { environment })).toMatchObject(failure(78, 'has data already'));
  });
});

describe('a restored folder', () => {
  it('is read and erased from before the server starts on it, and is for its owner alone', async () => {
    const [into, restored] = [join(place, 'backup'), join(place, 'data')];
    await (await startService(folder)).stop();
    await alcada(folder, ['backup', into]);
    for (const name of ['events.db', 'documents.db']) await chmod(join(into, name), 0o644);
    await mkdir(join(restored, 'lost+found'), { recursive: true });
    await writeFile(join(restored, 'events.db.partial'), 'of a restore that was interrupted');
    expect(await alcada(restored, ['restore', into])).toMatchObject({ code: 0 });
    for (const name of (await readdir(restored)).filter((one) => one.endsWith('.db')))
      expect([name, (await stat(join(restored, name))).mode & 0o777]).toEqual([name, 0o600]);
    const listed = await alcada(restored, ['traveller', 'list', '--json']);
    const [ana] = JSON.parse(listed.stdout) as readonly { readonly holder: string }[];
    expect(await alcada(restored, ['erase', '--holder', ana?.holder ?? ''])).toMatchObject({ code: 0 });
    await rm(join(restored, 'read-models.db'));
    const { code, stderr } = await alcada(restored, ['traveller', 'list']);
    expect([code, stderr]).toEqual([78, expect.stringContaining('read-models.db by the next start')]);
  });
});

describe('the transparency log of a restored service', () => {
  const environment = { TLOG_INTERVAL: '0.05' };
  /** A file of a log, once its tiles are built. */
  const fileOf = async ({ origin, dependencies }: RunningApi, path: string): Promise<Uint8Array> => {
    for (;;) {
      const answer = await fetch(`${origin}/tlog/${path}`);
      if (answer.status !== 503) return new Uint8Array(await answer.arrayBuffer());
      await dependencies.clock.sleep(20);
    }
  };
  const textOf = async (service: RunningApi, path: string) => Buffer.from(await fileOf(service, path)).toString();

  it('is another one, with the old one served beside it, unless nothing was published after the backup', async () => {
    const [into, early, late] = [join(place, 'backup'), join(place, 'early'), join(place, 'late')];
    const before = await startService(folder, environment);
    const ana = apiAt(before.origin, (await tokensFor(before.origin)).access_token);
    await buy(ana, await book(ana), await grant(ana, TRIP_PRICE));
    const first = await sealed(before);
    await writeFile(early, first.checkpoint);
    await alcada(folder, ['backup', into]);
    const lost = await buy(ana, await book(ana), await grant(ana, TRIP_PRICE));
    const last = await sealed(before);
    await writeFile(late, last.checkpoint);
    const [origin = ''] = last.checkpoint.split('\n');
    await before.stop();

    const [restored, same] = [join(place, 'data'), join(place, 'same')];
    expect(await alcada(same, ['restore', '--same-log', late, into])).toMatchObject(
      failure(78, `${last.size} entries, and the backup's head ${first.size}`),
    );
    expect(await alcada(same, ['restore', '--same-log', early, into])).toMatchObject({ code: 0 });
    const done = await alcada(restored, ['restore', '--lost', folder, into]);
    expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(`new log +${origin}#2, `)]);
    expect(done.stdout).toContain(`lost: ${last.size - first.size} entries`);
    expect(done.stdout).toMatch(new RegExp(`OrderPaid +1 +order-${lost.id}`));
    const counted = await alcada(restored, ['restore', '--check', '--json', '--lost', late, into]);
    expect(JSON.parse(counted.stdout)).toMatchObject({ lost: { entries: last.size - first.size } });

    const after = await startService(restored, environment);
    try {
      const { checkpoint } = await sealed(after);
      expect(checkpoint.split('\n')[0]).toBe(`${origin}#2`);
      expect(checkpoint.split('\n')[2]).not.toBe(first.checkpoint.split('\n')[2]);
      const frozen = await verifyCheckpoint(
        await textOf(after, '1/checkpoint'),
        policyOf(parseVerifierKey((await textOf(after, '1/key')).trim(), nodeCrypto.sha256)),
        nodeCrypto,
      );
      expect([frozen.origin, frozen.size]).toEqual([origin, first.size]);
      const entries = decodeBundle(await fileOf(after, `1/${entriesPath({ index: 0, width: first.size })}`));
      const edge = entries.reduce((tree, entry) => appendLeaf(sha256, tree, leafHash(sha256, entry)), EMPTY);
      expect(base64(rootOf(sha256, edge))).toBe(base64(frozen.root));
      expect(await fileOf(after, `1/${tilePath({ level: 0, index: 0, width: first.size })}`)).toHaveLength(
        32 * first.size,
      );
      for (const path of ['2/checkpoint', 'x/key', `1/${entriesPath({ index: 0, width: first.size + 1 })}`])
        expect((await fetch(`${after.origin}/tlog/${path}`)).status).toBe(404);
      const named = [];
      for await (const { type, data } of after.dependencies.events.readAll(null))
        if (type === 'LogSucceeded') named.push(data);
      expect(named).toMatchObject([{ origin, successor: `${origin}#2`, size: last.size, root: base64(last.root) }]);
    } finally {
      await after.stop();
    }
    expect(await alcada(restored, ['audit', 'verify', '--checkpoint', early])).toMatchObject({ code: 0 });
    const cut = await alcada(restored, ['audit', 'verify', '--checkpoint', late]);
    expect([cut.code, cut.stdout]).toEqual([1, expect.stringMatching(/\ncut +log .*its tail was cut/)]);
    // A configured name is that of the first log.
    const renamed = await startService(restored, { ...environment, TLOG_ORIGIN: 'outro.example/tlog' });
    expect((await sealed(renamed)).checkpoint).toMatch(/^outro\.example\/tlog#2\n/);
    await renamed.stop();

    const kept = await startService(same, environment);
    expect((await sealed(kept)).checkpoint.split('\n')[0]).toBe(origin);
    await kept.stop();
    expect(await alcada(same, ['audit', 'verify', '--checkpoint', early])).toMatchObject({ code: 0 });
  }, 120_000);
});

describe('a backup that is not sound', () => {
  const restored = () => join(place, 'data');
  /** A backup of a service that has sold something, with a change that its list of files does not give away. */
  const changed = async (change: (into: string) => Promise<void>): Promise<string> => {
    const into = join(place, 'backup');
    await alcada(folder, ['backup', into]);
    await change(into);
    const manifest = JSON.parse(await readFile(join(into, 'backup.json'), 'utf8')) as Manifest;
    for (const file of manifest.files) {
      const bytes = await readFile(join(into, file.name));
      Object.assign(file, { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
    }
    await writeFile(join(into, 'backup.json'), JSON.stringify(manifest));
    return into;
  };
  const sell = async (environment = {}) => {
    const service = await startService(folder, environment);
    const ana = apiAt(service.origin, (await tokensFor(service.origin)).access_token);
    await buy(ana, await book(ana), await grant(ana, TRIP_PRICE));
    await service.stop();
  };
  const refused = async (into: string, environment = {}) => {
    const { code, stdout, stderr } = await alcada(restored(), ['restore', into], { environment });
    await expect(stat(restored())).rejects.toThrow('ENOENT');
    return [code, stdout + stderr];
  };

  it('is refused with a page that is damaged', async () => {
    await sell();
    const into = await changed(async (folderOf) => {
      const file = await open(join(folderOf, 'events.db'), 'r+');
      await file.write(Buffer.alloc(64, 0xff), 0, 64, 4_096);
      await file.close();
    });
    expect(await refused(into)).toEqual([78, expect.stringMatching(/events\.db is damaged/)]);
  });

  it('is refused under another KEY_ENCRYPTION_KEY than that of its keys', async () => {
    await sell({ KEY_ENCRYPTION_KEY });
    const into = await changed(() => Promise.resolve());
    const [code, said] = await refused(into, { KEY_ENCRYPTION_KEY: 'cd'.repeat(32) });
    expect([code, said]).toEqual([78, expect.stringContaining('KEY_ENCRYPTION_KEY')]);
  });

  it('is refused with documents of another moment, and put back with its breaches only where that is asked for', async () => {
    await sell();
    await alcada(folder, ['backup', join(place, 'before')]);
    await sell();
    const into = await changed((folderOf) =>
      copyFile(join(place, 'before', 'documents.db'), join(folderOf, 'documents.db')),
    );
    expect(await refused(into)).toEqual([78, expect.stringContaining('files of different moments')]);
    const environment = { ALLOW_MIXED_DATA: 'on' };
    expect(await refused(into, environment)).toEqual([1, expect.stringMatching(/^\d+ breach.*Nothing was restored/)]);
    const done = await alcada(restored(), ['restore', into, '--despite-breaches'], { environment });
    expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/^Restored into /)]);
    expect(await readdir(restored())).toEqual(expect.arrayContaining(['documents.db', 'events.db']));
  });
});

describe('a backup that is not whole', () => {
  it('is found out by its check, and restores nothing', async () => {
    const service = await startService(folder);
    await service.stop();
    const [into, restored] = [join(place, 'backup'), join(place, 'data')];
    const made = await alcada(folder, ['backup', into]);
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('IN CLEAR (KEY_ENCRYPTION_KEY is not set)')]);
    expect(await alcada(folder, ['backup', into])).toMatchObject(failure(78, 'is not empty'));
    const nowhere = await alcada(join(place, 'nowhere'), ['backup', join(place, 'other')]);
    expect([nowhere.code, nowhere.stderr]).toEqual([78, expect.stringContaining('there is no data in')]);

    await appendFile(join(into, 'events.db'), 'x');
    expect(await alcada(restored, ['restore', '--check', into])).toMatchObject(failure(78, 'events.db is damaged'));
    await rm(join(into, 'backup.json'));
    expect(await alcada(restored, ['restore', into])).toMatchObject(failure(78, 'one that was interrupted'));
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
