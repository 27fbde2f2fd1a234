import { FixedClock } from '#testing';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { AttachedMetadata, type Metadata, MOST_NAMES } from './attached-metadata.js';

const ANA = { holder: 'ana', clientId: 'piloto' };

let documents: MemoryDocuments;
let attached: AttachedMetadata;
let reads: number;
beforeEach(async () => {
  documents = new MemoryDocuments(new FixedClock());
  attached = await opened(false);
  reads = 0;
  const getMany = documents.getMany.bind(documents);
  const counted: typeof getMany = (...asked) => {
    reads += 1;
    return getMany(...asked);
  };
  Object.assign(documents, { getMany: counted });
});

/** `isShared`: as a process among others, or as the only one. */
const opened = async (isShared: boolean): Promise<AttachedMetadata> => {
  const one = new AttachedMetadata(documents, isShared);
  await one.prepare();
  return one;
};
/** What is noted, on those things that something is noted on. */
const of = async (...ids: readonly string[]): Promise<Readonly<Record<string, Metadata>>> =>
  Object.fromEntries([...(await attached.of(ids, ANA))].filter(([, noted]) => Object.keys(noted).length > 0));

describe('metadata', () => {
  it('is read at once for many things, and not at all while there is none', async () => {
    expect([await of('a', 'b'), reads]).toEqual([{}, 0]);
    await attached.keep('a', ANA, {});
    await attached.keep('a', ANA, undefined);
    expect([await of('a'), reads]).toEqual([{}, 0]);
    await attached.keep('a', ANA, { viagem: '1' });
    await attached.keep('c', ANA, { viagem: '3' });
    expect([await of('a', 'b', 'c'), reads]).toEqual([{ a: { viagem: '1' }, c: { viagem: '3' } }, 1]);
  });

  it('is found by a process that begins later, and by one that others write beside', async () => {
    const beside = await opened(true);
    await attached.keep('a', ANA, { viagem: '1' });
    for (const one of [beside, await opened(false)])
      expect((await one.of(['a'], ANA)).get('a')).toEqual({ viagem: '1' });
  });

  it('is kept once, and changed name by name; an empty text takes a name away', async () => {
    await attached.keep('a', ANA, { viagem: '1', nada: '' });
    await attached.keep('a', ANA, { viagem: '2' });
    expect(await of('a')).toEqual({ a: { viagem: '1' } });
    await attached.change('a', ANA, { cliente: '4711' });
    await attached.change('b', ANA, { cliente: '4712' });
    expect(await of('a', 'b')).toEqual({ a: { viagem: '1', cliente: '4711' }, b: { cliente: '4712' } });
    await attached.change('a', ANA, { viagem: '', cliente: '4713' });
    await attached.change('a', ANA, {});
    await attached.change('a', ANA, undefined);
    expect(await of('a')).toEqual({ a: { cliente: '4713' } });
  });

  it('has as many names as there may be, however they came together', async () => {
    const many = Object.fromEntries(Array.from({ length: MOST_NAMES }, (_, n) => [`nome-${n}`, 'x']));
    await attached.keep('a', ANA, many);
    for (const refusing of [attached.requireRoom('a', { mais: 'um' }), attached.change('a', ANA, { mais: 'um' })])
      await expect(refusing).rejects.toMatchObject({ code: 'invalid_metadata' });
    await attached.requireRoom('a', { mais: 'um', 'nome-0': '' });
    await attached.requireRoom('b', { mais: 'um' });
    expect(await of('a')).toEqual({ a: many });
    await attached.change('a', ANA, { mais: 'um', 'nome-0': '' });
    expect(Object.keys((await of('a'))['a'] ?? {})).toHaveLength(MOST_NAMES);
  });

  it('is shown to the agent that noted it, and to no other one or for another traveller', async () => {
    await attached.keep('a', ANA, { viagem: '1' });
    for (const other of [
      { ...ANA, clientId: 'outro' },
      { ...ANA, holder: 'bruno' },
    ])
      expect(await attached.of(['a'], other)).toEqual(new Map([['a', {}]]));
  });

  it('is told of the first things alone where it is too much for one answer, and never read much further', async () => {
    const ids = Array.from({ length: 500 }, (_, n) => `thing-${n}`);
    for (const id of ids.slice(0, 60)) await attached.keep(id, ANA, { texto: 'x'.repeat(20_000) });
    const first = [...(await attached.of(ids, ANA)).keys()];
    expect([first, reads]).toEqual([ids.slice(0, 6), 1]);
    const after = await attached.of(ids.slice(54), ANA);
    expect([after.size, reads]).toEqual([446, 1 + 9]);
    for (const id of ['one', 'two']) await attached.keep(id, ANA, { texto: '🛫'.repeat(20_000) });
    expect((await attached.of(['one', 'two'], ANA)).size).toBe(1);
    await attached.keep('large', ANA, { texto: 'x'.repeat(600_000) });
    expect((await attached.of(['large', 'a'], ANA)).size).toBe(1);
  });

  it('is forgotten with its holder, also where nothing else tells of the thing', async () => {
    await attached.keep('a', ANA, { viagem: '1' });
    await attached.keep('b', { ...ANA, clientId: 'outro' }, { viagem: '2' });
    await attached.keep('c', { ...ANA, holder: 'bruno' }, { viagem: '3' });
    expect(await attached.forgetAll('ana')).toBe(2);
    expect(await of('a', 'b')).toEqual({});
    expect((await attached.of(['c'], { ...ANA, holder: 'bruno' })).get('c')).toEqual({ viagem: '3' });
  });
});
