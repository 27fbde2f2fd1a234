import { Aggregates } from '#event-store';
import { baseUrlsAt } from '#http';
import { plus, RandomIds } from '#kernel';
import { FixedClock } from '#testing';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { MemoryEventStore } from '../../../event-store/src/testing/index.js';
import type { Asking } from '../asking.js';
import { SAMPLE_LINE as line } from '../testing/sample-line.js';
import { SessionHolds } from './session-holds.js';
import { Sessions } from './sessions.js';

const MINUTE = 60_000;
const HERE = 'https://agente.example/profile.json';
const parts = { line, hasOthers: false };

const clock = new FixedClock();
const ids = new RandomIds();
const setting = async () => {
  const aggregates = new Aggregates(new MemoryEventStore(), clock, ids);
  const sessions = new Sessions(new MemoryDocuments(clock), aggregates, clock);
  await sessions.stored.prepare();
  return { sessions, holds: new SessionHolds(sessions, aggregates, ids, clock) };
};
const askingBy = (profile: string, more: Partial<Asking> = {}): Asking => ({
  platform: { profile, capabilities: new Map(), webhookUrl: null, keys: [] },
  active: new Set(),
  proof: null,
  caller: null,
  urls: baseUrlsAt('https://voos.example'),
  cause: { correlationId: 'a', causationId: 'b' },
  ...more,
});
const SIGNED = { proof: 'signature' } as const;
const BY_TOKEN = {
  proof: 'token',
  caller: { holder: 'ana', clientId: 'c', scopes: ['order:write'], grantId: 'g' },
} as const;

/** Begins a session, and keeps others like it; returns its id. */
const begun = async (sessions: Sessions, asking: Asking, others = 0): Promise<string> => {
  const id = ids.next();
  await sessions.begin(id, asking, parts);
  const { body } = await sessions.own(asking, id);
  for (let n = 0; n < others; n += 1) await sessions.stored.insert(ids.next(), body);
  return id;
};

describe('sessions that wait for a traveller', () => {
  it('are bounded for a host, whatever its addresses, and those of a platform that signs apart', async () => {
    const { sessions } = await setting();
    const first = await begun(sessions, askingBy(HERE), 999);
    const other = askingBy('https://agente.example/outro.json');
    await expect(begun(sessions, other)).rejects.toMatchObject({ code: 'rate_limited' });
    await begun(sessions, askingBy('https://outro.example/'));
    await begun(sessions, askingBy(HERE, SIGNED));
    await begun(sessions, askingBy(HERE, BY_TOKEN));
    // What turns out to be a traveller's counts no more.
    await sessions.taken(askingBy(HERE, BY_TOKEN), first);
    await begun(sessions, other);
    await expect(begun(sessions, other)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('are bounded in all', async () => {
    const { sessions } = await setting();
    for (let n = 0; n < 5; n += 1) await begun(sessions, askingBy(`https://agente-${n}.example/`), 999);
    const next = askingBy('https://agente-5.example/');
    await expect(begun(sessions, next)).rejects.toMatchObject({ code: 'rate_limited' });
    await begun(sessions, { ...next, ...SIGNED });
  });

  it('are read for ten minutes after their end, and for a day once somebody bought them or brought a token', async () => {
    const { sessions, holds } = await setting();
    const [waiting, bought, taken] = [
      await begun(sessions, askingBy(HERE)),
      await begun(sessions, askingBy(HERE)),
      await begun(sessions, askingBy(HERE)),
    ];
    const read = await sessions.own(askingBy(HERE), bought);
    await holds.during(read, 'ana', {}, () => Promise.resolve());
    await sessions.taken(askingBy(HERE, BY_TOKEN), taken);
    const there = async () =>
      Promise.all([waiting, bought, taken].map(async (id) => (await sessions.found(id)) !== null));
    clock.advance(40 * MINUTE - 1);
    expect(await there()).toEqual([true, true, true]);
    clock.advance(1);
    expect(await there()).toEqual([false, true, true]);
    expect((await sessions.found(bought))?.body.waiting).toBeUndefined();
    clock.advance(24 * 60 * MINUTE - 10 * MINUTE);
    expect(await there()).toEqual([false, false, false]);
    expect(plus(read.body.expiresAt, 24 * 60 * MINUTE)).toBe(clock.now());
  });
});
