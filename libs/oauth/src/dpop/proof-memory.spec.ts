import { join } from 'node:path';
import { EmbeddedDocuments } from '#documents';
import { FixedClock, ownFolder } from '#testing';
import { OwnProofMemory, type ProofMemory, SharedProofMemory } from './proof-memory.js';

const folder = ownFolder(() => documents.close());
const clock = new FixedClock();
let documents: EmbeddedDocuments;
beforeAll(async () => {
  documents = await EmbeddedDocuments.open({ file: join(folder, 'documents.db'), durability: 'normal', clock });
});

const shared = async (): Promise<ProofMemory> => {
  const memory = new SharedProofMemory(documents, clock, []);
  await memory.prepare();
  return memory;
};

describe.each([
  ['of one process', () => Promise.resolve<ProofMemory>(new OwnProofMemory(clock))],
  ['of several processes', shared],
])('the memory %s', (_, open) => {
  it('accepts a proof once', async () => {
    const memory = await open();
    const nonce = memory.nonce();
    expect([await memory.use(nonce, 'one'), await memory.use(nonce, 'two')]).toEqual(['accepted', 'accepted']);
    expect([await memory.use(nonce, 'one'), await memory.use(nonce, 'two')]).toEqual(['replayed', 'replayed']);
    clock.advance(239_000);
    expect(await memory.use(nonce, 'one')).toBe('replayed');
  });

  it('of two that come at once lets one through', async () => {
    const memory = await open();
    const nonce = memory.nonce();
    const uses = await Promise.all([memory.use(nonce, 'race'), memory.use(nonce, 'race')]);
    expect(uses.toSorted()).toEqual(['accepted', 'replayed']);
  });

  it('gives out a nonce for a minute, and takes it for five at most', async () => {
    const memory = await open();
    const nonce = memory.nonce();
    expect(memory.nonce()).toBe(nonce);
    clock.advance(60_000);
    expect(memory.nonce()).not.toBe(nonce);
    expect(await memory.use(nonce, 'late')).toBe('accepted');
    clock.advance(240_000);
    expect(await memory.use(nonce, 'too late')).toBe('stale');
  });

  it.each(['', 'x', '0.x', '99999999.x', '-1.x', '1e9.x'])('knows no nonce %p', async (made) =>
    expect(await (await open()).use(made, 'made up')).toBe('stale'),
  );
});

describe('the memory of one process', () => {
  it('accepts no nonce of an earlier start, whose proofs are forgotten', async () => {
    const nonce = new OwnProofMemory(clock).nonce();
    expect(await new OwnProofMemory(clock).use(nonce, 'one')).toBe('stale');
  });

  it('stays small however many proofs there are, and what it forgets is good no more', async () => {
    const memory = new OwnProofMemory(clock, { all: 100, ofOne: 10 });
    const first = memory.nonce();
    const nonces = new Set<string>();
    for (let at = 0; at < 1_000; at += 1) {
      const nonce = memory.nonce();
      nonces.add(nonce);
      expect(await memory.use(nonce, `proof ${at}`)).toBe('accepted');
    }
    expect(nonces.size).toBe(100);
    expect(await memory.use(first, 'proof 0')).toBe('stale');
    const uses = await Promise.all([...nonces].map((nonce) => memory.use(nonce, 'again')));
    expect(uses.filter((use) => use === 'accepted').length).toBeLessThanOrEqual(11);
  });

  it('forgets nothing under a nonce that it still takes', async () => {
    const memory = new OwnProofMemory(clock, { all: 100, ofOne: 1_000 });
    const nonce = memory.nonce();
    for (let at = 0; at < 150; at += 1) await memory.use(nonce, `proof ${at}`);
    for (let at = 0; at < 150; at += 1) expect(await memory.use(nonce, `proof ${at}`)).not.toBe('accepted');
  });
});

describe('the memory of several processes', () => {
  it('knows in each what came in another, and takes the nonce of another', async () => {
    const [one, other] = [await shared(), await shared()];
    expect(other.nonce()).toBe(one.nonce());
    expect(await one.use(one.nonce(), 'crossed')).toBe('accepted');
    expect(await other.use(one.nonce(), 'crossed')).toBe('replayed');
  });

  it('remembers a proof longer than its nonce is good, and not for ever', async () => {
    const memory = await shared();
    await memory.use(memory.nonce(), 'remembered');
    clock.advance(299_000);
    expect(await documents.get('dpop-proofs', 'remembered')).not.toBeNull();
    clock.advance(200_000);
    expect(await documents.get('dpop-proofs', 'remembered')).toBeNull();
  });
});
