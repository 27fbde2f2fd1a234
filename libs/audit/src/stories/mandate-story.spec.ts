import type { StoredEvent } from '#event-store';
import type { EventData } from '#events';
import { nodeCrypto } from '#transparency';
import { CHAIN_START, expectedHash, hashBytes, hex } from '#verifier';
import { MandateStory } from './mandate-story.js';

const ID = '6f1c0a52-3b7e-4a0e-9d57-0d3c4b1f2a10';
const stream = `mandate-${ID}`;
const at = (minute: number) => `2026-01-15T12:0${minute}:00.000Z`;
const brl = (amount: number) => ({ amount, currency: 'BRL' });

/** Events of a mandate, chained as they are stored. */
const chained = (...events: readonly (readonly [type: string, data: EventData])[]): readonly StoredEvent[] => {
  let previous = CHAIN_START;
  return events.map(([type, data], revision) => {
    const metadata = {
      eventId: `e${revision}`,
      occurredAt: at(revision),
      actor: { holder: 'h', clientId: 'agente' },
      $correlationId: 'c',
      $causationId: 'c',
      schemaVersion: 1,
      hash: '',
    };
    const hash = hex(expectedHash(nodeCrypto.sha256, previous, { stream, revision, type, data, metadata }));
    previous = hashBytes(hash) ?? CHAIN_START;
    return { stream, revision, type, data, metadata: { ...metadata, hash }, position: String(revision) };
  });
};

const created = [
  'MandateCreated',
  {
    mandateId: ID,
    holder: 'h',
    clientId: 'agente',
    scope: ['order:write', 'payment:execute'],
    limit: brl(1_000),
    minutes: 60,
    startsAt: at(0),
    expiresAt: '2026-01-15T13:00:00.000Z',
    grantedBy: 'agent',
  },
] as const;
const reserved = (amount: number, minute: number) =>
  [
    'MandateReserved',
    { orderId: 'o1', bookingId: 'b1', amount: brl(amount), holdBefore: at(9), reservedAt: at(minute) },
  ] as const;

const rulesBrokenIn = (events: readonly StoredEvent[]): readonly string[] => {
  const story = new MandateStory(ID);
  return events.flatMap((event) => story.add(event).breaches.map(({ rule }) => rule));
};

describe('the story of a mandate', () => {
  it('finds nothing in one that is sound, and says how it stands at any time', () => {
    const story = new MandateStory(ID);
    for (const event of chained(created, reserved(400, 1))) expect(story.add(event).breaches).toEqual([]);
    expect(story.standing(at(2))).toMatchObject({ status: 'valid', reserved: 400, remaining: 600 });
    expect(story.standing('2026-01-15T13:00:00.000Z')).toMatchObject({ status: 'expired' });
  });

  it('names an event that was changed, one that is missing, and one that passes the ceiling', () => {
    const [first, second] = chained(created, reserved(400, 1));
    if (!first || !second) throw new Error('there are two');
    expect(rulesBrokenIn([first, { ...second, data: { ...second.data, orderId: 'o2' } }])).toEqual(['chain']);
    expect(rulesBrokenIn([second])).toContain('revision');
    expect(rulesBrokenIn(chained(created, reserved(1_001, 1)))).toEqual(['ceiling']);
  });
});
