import { cp, lstat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Libsql from 'libsql';
import type { AuditReport } from '../../apps/cli/src/audit/verify.command.js';
import { positionOf } from '#event-store';
import { tellSkipped } from '#testing';
import type { RunningApi } from '../../apps/api/src/start.js';
import { agentAt } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import { book, buy, grant, TRIP_PRICE } from '../support/purchase.js';
import { sealed } from '../support/sealed.js';
import { newFolder, ownFolder, removeFolder, settled, startService } from '../support/service.js';
import { areServersUsed } from '../support/stores.js';

const inFolder: typeof it | typeof it.skip = areServersUsed() ? it.skip : it;
if (areServersUsed()) tellSkipped('a log whose file was cut', 'servers hold it');

const folder = ownFolder(() => service.stop());
let service: RunningApi;

/** A service with a few orders, which goes on while it is audited. */
beforeAll(async () => {
  service = await startService(folder, { TLOG_INTERVAL: '0.05' });
  const agent = await agentAt(service.origin);
  const mandate = await grant(agent, 3 * TRIP_PRICE);
  await buy(agent, await book(agent), mandate);
  await buy(agent, await book(agent), mandate);
  await settled(service);
});

const verify = async (...args: readonly string[]) => {
  const { code, stdout } = await alcada(folder, ['audit', 'verify', '--json', ...args]);
  return { code, found: JSON.parse(stdout) as AuditReport };
};

describe('alcada audit verify', () => {
  it('finds nothing wrong beside a running service, and says what it looked at', async () => {
    const { size, checkpoint } = await sealed(service);
    const kept = join(folder, 'kept.checkpoint');
    await writeFile(kept, checkpoint);
    const { code, found } = await verify('--checkpoint', kept);
    expect(found).toMatchObject({ breaches: [], breachCount: 0, open: [], ledger: { rows: 2, later: 0 } });
    expect(code).toBe(0);
    expect(found.sealed).toBeGreaterThanOrEqual(size);
    expect(found.events).toBeGreaterThanOrEqual(size);
    expect(found.readModels?.compared).toBeGreaterThan(10);
    const { stdout } = await alcada(folder, ['audit', 'verify']);
    expect(stdout).toMatch(/^Every rule holds\.\n {2}log +\d+ events of \d+ streams/);
  });

  it('names what does not agree with a checkpoint that was kept, and ends with 1', async () => {
    const { checkpoint } = await sealed(service);
    const [origin = '', size = '', root = ''] = checkpoint.split('\n');
    const [forged, longer] = [join(folder, 'forged'), join(folder, 'longer')];
    await writeFile(forged, `${origin}\n${size}\n${'A'.repeat(43)}=\n`);
    await writeFile(longer, `${origin}\n${Number(size) + 1_000}\n${root}\n`);
    const { code, found } = await verify('--checkpoint', forged, '--checkpoint', longer);
    expect([code, found.breaches.map(({ rule }) => rule)]).toEqual([1, ['checkpoint', 'cut']]);
    expect(found.breaches[1]?.message).toContain('its tail was cut');
    const { stdout, stderr } = await alcada(folder, ['audit', 'verify', '--checkpoint', forged]);
    expect(stdout).toMatch(/ {2}compared +with .*forged, \d+ entr/);
    expect(stdout).toMatch(/^1 breach\.\n[^]*\nrule +where +what\ncheckpoint +log +the first \d+ entries/);
    expect(stderr).toContain('alcada audit: 1 breach\n');
  });

  it('refuses what was kept of another log, which would look like one that was cut', async () => {
    const other = join(folder, 'other');
    await writeFile(other, `example.com/tlog\n1\n${'A'.repeat(43)}=\n`);
    const { code, stderr } = await alcada(folder, ['audit', 'verify', '--checkpoint', other]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('other is a checkpoint of example.com/tlog, and this log is'),
    ]);
  });

  inFolder(
    'names a log that was cut by what had seen more of it, and does not wait for the rest',
    async () => {
      const { size, checkpoint } = await sealed(service);
      const cut = await newFolder();
      await cp(folder, cut, { recursive: true, filter: async (path) => !(await lstat(path)).isSocket() });
      const db = new Libsql(join(cut, 'events.db'));
      db.exec('DELETE FROM events WHERE position > (SELECT max(position) - 3 FROM events)');
      db.close();
      const kept = join(cut, 'kept.checkpoint');
      await writeFile(kept, checkpoint);
      const { code, stdout } = await alcada(cut, ['audit', 'verify', '--json', '--checkpoint', kept]);
      const { breaches } = JSON.parse(stdout) as AuditReport;
      await removeFolder(cut);
      const witnesses = breaches.filter(({ rule }) => rule === 'cut').map(({ stream, message }) => [stream, message]);
      expect([code, witnesses]).toEqual([
        1,
        [
          ['log', expect.stringContaining(`the sealed head has ${size} entries`)],
          ['log', expect.stringContaining(`${kept} has ${size} entries`)],
          [expect.stringMatching(/^[a-z-]+\//), expect.stringContaining('its tail was cut')],
        ],
      ]);
    },
    60_000,
  );

  it('compares every document of the read models with a fresh fold', async () => {
    const { readModelStore, clock } = service.dependencies;
    // Who reads the log without finding anything says how far it is a little later; what is past that counts as newer.
    while ((await verify()).found.readModels?.newer !== 0) await clock.sleep(50);
    const [collection = ''] = await readModelStore.collections('orders-v');
    const [{ id } = { id: '' }] = await readModelStore.scan(collection, null, 1);
    const [stored] = await readModelStore.getGuarded(collection, [id]);
    if (!stored?.body) throw new Error('there is an order');
    // At the next place stands the booking's ticket, which is not newer either.
    const next = positionOf(BigInt(stored.position) + 1n);
    await readModelStore.putGuarded(collection, [
      { id, body: { ...stored.body, status: 'failed' }, position: next, isNew: false },
    ]);
    const { code, found } = await verify();
    expect([code, found.breaches]).toMatchObject([1, [{ rule: 'read-model', stream: `orders/${id}` }]]);
    expect((await verify('--no-read-models')).found).toMatchObject({ breaches: [], readModels: null });
  });
});
