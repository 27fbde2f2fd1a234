import { recorder } from '#kernel';
import { z } from 'zod';
import type { EventOf } from './schema.js';
import { categoryOf, type EventData, idOf, streamType, UnreadableEvent, UnwritableEvent } from './stream-type.js';

type Note = EventOf<typeof schemas>;
const schemas = { Noted: z.object({ text: z.string(), author: z.string().nullable() }), Erased: z.object({}) };

/** Notes: `text` was called `words` in version 1, and `author` came with version 3. */
const notes = streamType({
  category: 'note',
  id: (id: string) => id,
  events: schemas,
  upcasters: { Noted: [({ words }) => ({ text: words }), (data) => ({ ...data, author: null })] },
  decider: recorder<Note>(),
});

const stored = (type: string, schemaVersion: number, data: EventData) => ({
  stream: 'note-1',
  type,
  data,
  metadata: { schemaVersion },
});

describe('a stream type', () => {
  it('names its streams by category and id, which can be told from the name', () => {
    const stream = notes.streamOf('2026-1');
    expect([stream, categoryOf(stream), idOf(stream)]).toEqual(['note-2026-1', 'note', '2026-1']);
  });

  it('writes events in the newest version of each type', () => {
    expect([notes.versionOf('Noted'), notes.versionOf('Erased')]).toEqual([3, 1]);
  });

  it('keeps nothing of an event that its schema does not name', () => {
    const event = { type: 'Noted', data: { text: 'a', author: 'b', card: '4242' } } as const;
    expect(notes.check(event)).toEqual({ type: 'Noted', data: { text: 'a', author: 'b' } });
  });

  it.each([
    ['of another form', { type: 'Noted', data: { text: 7, author: null } }],
    ['of a type that it does not have', { type: 'toString', data: {} }],
  ])('writes no event %s', (_, event) => {
    const untyped: { check(event: object): unknown } = notes;
    expect(() => untyped.check(event)).toThrow(UnwritableEvent);
  });

  it.each([
    [1, { words: 'a' }],
    [2, { text: 'a' }],
    [3, { text: 'a', author: null }],
  ])('reads an event of version %d as the newest', (schemaVersion, data) => {
    expect(notes.decode(stored('Noted', schemaVersion, data))).toEqual({
      type: 'Noted',
      data: { text: 'a', author: null },
    });
  });

  it.each([
    ['of a newer version than it knows', stored('Erased', 2, {})],
    ['of a type that it does not have', stored('Copied', 1, {})],
    ['that is damaged', stored('Noted', 3, { text: 'a' })],
    [
      'of another program',
      { ...stored('Noted', 1, { words: 'a' }), metadata: {} as { readonly schemaVersion: number } },
    ],
  ])('reads no event %s', (_, event) => {
    expect(() => notes.decode(event)).toThrow(UnreadableEvent);
  });
});
