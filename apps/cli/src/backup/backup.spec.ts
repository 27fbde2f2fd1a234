import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import Libsql from 'libsql';
import { ownFolders } from '#testing';
import { readConfig } from '#config';
import { storedSecret } from '#documents';
import { delegations } from '#mandate';
import { Aggregates } from '#event-store';
import { plus, type Scope, systemContext } from '#kernel';
import { KEPT_CARDS, KeptCards } from '#ucp';
import { Endpoints, WEBHOOKS } from '#outbox';
import { Grants, MessageKeys, openKeyRegistry } from '#oauth';
import { closePorts, oauthSettings, openEmbeddedPorts, openPortsToRead, type Ports } from '#runtime';
import { openTlogKeys } from '#transparency';
import { run } from '../run.js';
import { KEYED, readBackup } from './backup.js';
import { putBack } from './restore.js';

const newFolder = ownFolders();
const KEY_ENCRYPTION_KEY = 'ab'.repeat(32);
const AGENT = { holder: crypto.randomUUID(), clientId: 'agente.de.viagem' };
const SCOPES: readonly Scope[] = ['booking:write'];
const TOLD_AT = 'https://agente.example/avisos';
const GRANT = crypto.randomUUID();

let place: string;
beforeEach(() => void (place = newFolder()));

const at = (name: string): string => join(place, name);
const configOf = (name: string, env: Readonly<Record<string, string>> = {}) =>
  readConfig({ DATA_DIR: at(name), ...env });

/** Runs `alcada` on the folder of this name; returns the exit code with what it wrote, or (not 0) why. */
const alcada = async (name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  let [said, told] = ['', ''];
  const code = await run(args, {
    env: { DATA_DIR: at(name), ...env },
    stdin: Readable.from(''),
    stdout: { write: (text) => (said += text) },
    stderr: { write: (text) => (told += text) },
  });
  return { code, said: code === 0 ? said : told };
};

/** Does something on the open stores of the folder of this name, as a server does. */
const on = async <Result>(
  name: string,
  work: (ports: Ports) => Promise<Result>,
  env: Readonly<Record<string, string>> = {},
): Promise<Result> => {
  const ports = await openEmbeddedPorts(configOf(name, env));
  return work(ports).finally(() => closePorts(ports));
};

/** A folder with an agent that was let in, may spend, and has a grant; with the keys of a service that was used. */
const used = (name: string, env: Readonly<Record<string, string>> = {}) =>
  on(
    name,
    async (ports) => {
      const { documents, events, clock, ids } = ports;
      const settings = oauthSettings(configOf(name, env));
      const grants = new Grants(documents, clock);
      await grants.prepare();
      await grants.open(GRANT, { ...AGENT, scopes: SCOPES, resources: ['api'] });
      const grant = await grants.active(GRANT);
      if (grant) await grants.rotate(grant, 'a refresh token');
      await (await openKeyRegistry(ports, settings)).rotate();
      await storedSecret(documents, 'idempotency', settings.keyEncryptionKeys);
      const origin = { first: 'log.example/tlog', configured: null };
      await openTlogKeys(documents, settings.keyEncryptionKeys, origin, clock);
      await documents.prepare(WEBHOOKS);
      const endpoints = new Endpoints(documents, settings.keyEncryptionKeys);
      const { stored } = endpoints.newKey(GRANT, 'hmac-sha256');
      const told = { url: TOLD_AT, types: [], keys: [stored], cursor: null };
      await endpoints.add(GRANT, { ...AGENT, ...told }, clock.now());
      await documents.prepare(KEPT_CARDS);
      const paid = { cardNumber: '4242424242424242', expiry: '12/49', cvc: '123' };
      const cards = new KeptCards(documents, settings.keyEncryptionKeys);
      const { holder } = AGENT;
      const purpose = { holder, wallet: holder, createdAt: clock.now() };
      await cards.keep('card', paid, purpose, { most: 1, taken: [] }, plus(clock.now(), 600_000));
      const aggregates = new Aggregates(events, clock, ids);
      const authorize = { type: 'AuthorizeAgent', ...AGENT, grantId: GRANT, scopes: SCOPES } as const;
      const traveller = { ...systemContext('test'), actor: { holder: AGENT.holder, clientId: null } };
      await aggregates.handle(delegations, AGENT, authorize, traveller);
      const mandateId = ids.next();
      const limit = { amount: 100_00, currency: 'BRL' } as const;
      const open = { type: 'OpenMandate', mandateId, limit, expiresAt: plus(clock.now(), 600_000) } as const;
      await aggregates.handle(delegations, AGENT, open, systemContext('test'));
    },
    env,
  );

const isInForce = (name: string): Promise<boolean> =>
  on(name, async ({ documents, clock }) => {
    const grants = new Grants(documents, clock);
    await grants.prepare();
    return (await grants.active(GRANT)) !== null;
  });

describe('a backup that is put back', () => {
  it('revives nothing: access is ended and counted, and open mandates stay until that is asked for', async () => {
    await used('data');
    await alcada('data', ['backup', at('backup')]);
    const { code, said } = await alcada('restored', ['restore', at('backup')]);
    expect([code, said]).toEqual([0, expect.stringMatching(/grants +1 ended, with 1 refresh token\n/)]);
    expect(said).toMatch(/logins +0 of travellers and 0 of auditors ended\n/);
    expect(said).toMatch(/webhooks +1 deleted\n/);
    expect(said).toMatch(/kept cards +1 deleted, with the tokens that they pay for\n/);
    expect(said).toMatch(/keys +1 signing key deleted/);
    expect(said).toMatch(/mandates +1 open, which stay; --end-mandates ends them\n/);
    expect(said).toContain('withdraw again the agents and mandates');
    expect(await isInForce('restored')).toBe(false);
    expect(await isInForce('data')).toBe(true);
    const bytes = readFileSync(join(at('restored'), 'documents.db')).toString('latin1');
    for (const gone of [GRANT, TOLD_AT]) expect(bytes).not.toContain(gone); // neither in a free page
  });

  it('lists whom the old folder had let in since, and whose access it had ended', async () => {
    await used('data');
    await alcada('data', ['backup', at('backup')]);
    const [holder, since] = [crypto.randomUUID(), crypto.randomUUID()];
    await on('data', async ({ documents, clock }) => {
      const grants = new Grants(documents, clock);
      await grants.prepare();
      await grants.open(since, { holder, clientId: 'agente.novo', scopes: SCOPES, resources: ['api'] });
      await grants.revoke(GRANT, 'agent_revoked');
    });
    const asked = ['restore', '--check', '--lost', at('data'), at('backup')];
    const { said } = await alcada('restored', asked);
    expect(said).toMatch(new RegExp(`\ngrants removed +1 +agente\\.de\\.viagem of ${AGENT.holder}\n`));
    expect(said).toMatch(new RegExp(`\ngrants added +1 +agente\\.novo of ${holder}\n`));
    for (const secret of [GRANT, since]) expect(said).not.toContain(secret);
  });

  it('ends mandates where that is asked for, and other stores as often as it takes', async () => {
    await used('data');
    await alcada('data', ['backup', at('backup')]);
    const ending = await alcada('ended', ['restore', '--end-mandates', at('backup')]);
    expect([ending.code, ending.said]).toEqual([0, expect.stringMatching(/mandates +1 ended\n/)]);
    const open = await on('ended', async ({ events, clock, ids }) => {
      const { state } = await new Aggregates(events, clock, ids).load(delegations, AGENT);
      return state.status === 'unknown' ? null : Object.keys(state.openMandates);
    });
    expect(open).toEqual([]);

    // The same for stores that other tools put back, as often as it takes.
    expect((await alcada('data', ['end-access'])).said).toMatch(/^All access is ended.\n {2}grants +1 ended/);
    expect(await isInForce('data')).toBe(false);
    expect((await alcada('data', ['end-access'])).said).toMatch(/grants +0 ended/);
  });

  it('and was cut off half-way is started on nowhere', async () => {
    await used('data');
    await alcada('data', ['backup', at('backup')]);
    const made = await readBackup(at('backup'));
    const failing = putBack(at('backup'), made, configOf('restored'), () => {
      mkdirSync(join(at('restored'), 'events.db', 'in the way'), { recursive: true });
      return Promise.resolve();
    });
    await expect(failing).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(at('restored'))).toEqual(expect.arrayContaining(['documents.db']));
    rmSync(join(at('restored'), 'events.db'), { recursive: true });
    await expect(openEmbeddedPorts(configOf('restored'))).rejects.toThrow('which was copied and not restored');
  });
});

describe('a backup that was copied by hand', () => {
  it('is refused by whatever would start on it, and says what to do', async () => {
    await used('data');
    await alcada('data', ['backup', at('backup')]);
    const refusal = { code: 78, said: expect.stringMatching(/copied and not restored.*run alcada restore/s) };
    expect(await alcada('backup', ['keys', 'rotate'])).toEqual(refusal);
    expect(await alcada('backup', ['backup', at('another')])).toEqual(refusal);
    await expect(openPortsToRead(configOf('backup'))).rejects.toThrow('copied and not restored');
    expect(await alcada('restored', ['restore', '--check', at('backup')])).toMatchObject({ code: 0 }); // nobody has changed it
  });
});

describe('a folder that was moved', () => {
  it('goes on in one place alone, with all that is in force', async () => {
    await used('data');
    const running = await openEmbeddedPorts(configOf('data'));
    const early = await alcada('data', ['backup', '--move', at('early')]);
    expect([early.code, early.said]).toEqual([78, expect.stringContaining('cannot be opened for writing')]);
    await closePorts(running);

    const moved = await alcada('data', ['backup', '--move', at('backup')]);
    expect([moved.code, moved.said]).toEqual([0, expect.stringMatching(/^Moved away: nothing starts on /)]);
    await expect(openEmbeddedPorts(configOf('data'))).rejects.toThrow(/was moved at .*, and goes on where/);
    expect(await alcada('data', ['backup', at('other')])).toMatchObject({ code: 78 });
    expect(await alcada('data', ['backup', '--move', at('again')])).toMatchObject({ code: 0 }); // as after an interruption

    const { code, said } = await alcada('there', ['restore', at('backup')]);
    expect([code, said]).toEqual([0, expect.stringMatching(/^Moved into .*: nothing was ended/)]);
    expect(await isInForce('there')).toBe(true);
    // What goes on there changes from now on: the same backup is an older moment like any other.
    expect((await alcada('later', ['restore', at('backup')])).said).toMatch(/grants +1 ended/);
    expect(await isInForce('later')).toBe(false);
  });

  it('is not moved where its copy cannot be written', async () => {
    await used('data');
    writeFileSync(at('file'), '');
    expect(await alcada('data', ['backup', '--move', join(at('file'), 'x')])).toMatchObject({ code: 1 });
    expect(await isInForce('data')).toBe(true);
  });
});

describe('a backup', () => {
  it.each(['data', 'data/copy'])('does not go into what it copies: %s', async (into) => {
    await used('data');
    const before = readdirSync(at('data'));
    expect(await alcada('data', ['backup', at(into)])).toMatchObject({
      code: 78,
      said: expect.stringContaining('a copy of'),
    });
    expect(readdirSync(at('data'))).toEqual(before);
  });

  it('does not go into a folder that is called as an option', async () => {
    await used('data');
    expect(await alcada('data', ['backup', '--', '--help'])).toMatchObject({
      code: 78,
      said: expect.stringContaining('option'),
    });
  });
});

describe('the keys in a backup', () => {
  it('are said to be in clear where those in any collection are', async () => {
    await used('data', { KEY_ENCRYPTION_KEY });
    await on(
      'data',
      async ({ documents, clock }) => {
        const keys = new MessageKeys(documents, clock, oauthSettings(configOf('data', { KEY_ENCRYPTION_KEY })));
        await keys.start();
        await keys.current();
      },
      { KEY_ENCRYPTION_KEY },
    );
    expect(await alcada('data', ['tlog', 'begin'], { KEY_ENCRYPTION_KEY })).toEqual({
      code: 0,
      said: expect.stringMatching(/^The next log begins\.\n {2}new log +log\.example\/tlog#2, /),
    });
    const data = new Libsql(join(at('data'), 'documents.db'));
    const tables = data.prepare('SELECT name FROM collections').pluck().all() as string[];
    const isKeyed = (name: string) =>
      data.prepare(`SELECT 1 FROM "c_${name}" WHERE body LIKE '%"cipher"%'`).all().length > 0;
    expect(tables.filter(isKeyed).sort()).toEqual([...KEYED]);
    const keysNow = async (into: string): Promise<unknown> =>
      (JSON.parse((await alcada('data', ['backup', '--json', at(into)])).said) as { readonly keys: unknown }).keys;
    expect(await keysNow('encrypted')).toBe('encrypted');
    for (const collection of KEYED) {
      const bodies = `UPDATE "c_${collection}" SET body = replace(body, ?, ?)`;
      data.prepare(bodies).run('"aes-256-gcm"', '"none"');
      expect([collection, await keysNow(collection)]).toEqual([collection, 'in clear']);
      data.prepare(bodies).run('"none"', '"aes-256-gcm"');
    }
    data.close();
  });
});
