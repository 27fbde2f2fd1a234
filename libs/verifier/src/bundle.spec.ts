import { describe, expect, it } from '@jest/globals';
import { BUNDLE_FORMAT, type BundledEvent, bundleLine, parseEvent, parseHeader, UnreadableBundle } from './bundle.js';

const header = { format: BUNDLE_FORMAT, about: { mandate: 'm1' }, checkpoint: 'a note\n', events: 1 } as const;
const event: BundledEvent = {
  stream: 'mandate-m1',
  revision: 0,
  type: 'MandateRevoked',
  data: { revokedAt: '2026-01-31T12:00:00.000Z' },
  metadata: {
    eventId: 'e1',
    occurredAt: '2026-01-31T12:00:00.000Z',
    actor: { holder: 'h', clientId: null },
    schemaVersion: 1,
    hash: 'a'.repeat(64),
  },
  previousHash: '0'.repeat(64),
  pseudonym: 'A'.repeat(43),
  index: 7,
  proof: ['q83v'],
};

describe('the lines of a bundle', () => {
  it('are read as they were written', () => {
    expect(parseHeader(bundleLine(header))).toEqual(header);
    expect(parseEvent(bundleLine(event))).toEqual(event);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['of another format', JSON.stringify({ ...header, format: 'alcada.bundle/v2' })],
    ['about two things', JSON.stringify({ ...header, about: { mandate: 'm', order: 'o' } })],
    ['about nothing known', JSON.stringify({ ...header, about: { flight: 'GL1234' } })],
    ['without a number of events', JSON.stringify({ ...header, events: '1' })],
  ])('are refused as a header: %s', (_, line) => {
    expect(() => parseHeader(line)).toThrow(UnreadableBundle);
  });

  it.each([
    ['a member twice', bundleLine(event).replace('"data":{', '"data":{"revokedAt":"never"},"data":{')],
    ['a member twice, deep inside', bundleLine(event).replace('"holder":"h"', '"holder":"x","holder":"h"')],
    ['a number that is not exact', bundleLine(event).replace('"index":7', '"index":7.0000000000000000001')],
    ['another spelling of a text', bundleLine(event).replace('"stream":"m', '"stream":"\\u006d')],
    ['white space', bundleLine(event).replace(':7', ': 7')],
    ['a member that nothing vouches for', JSON.stringify({ ...event, amount: 'R$ 1,00' })],
    ['a prototype', bundleLine(event).replace('{', '{"__proto__":{"index":1},')],
    ['no end of nesting', bundleLine(event).replace('"data":{', `"data":{"a":${'['.repeat(9e4)}${']'.repeat(9e4)},`)],
  ])('are refused where readers could differ: %s', (_, line) => {
    expect(line).not.toBe(bundleLine(event));
    expect(() => parseEvent(line)).toThrow(UnreadableBundle);
  });

  it.each([
    ['a place that is no number', { ...event, index: '7' }],
    ['a proof that is no list', { ...event, proof: 'q83v' }],
    ['a hash that is none', { ...event, previousHash: 'A'.repeat(64) }],
    ['a pseudonym that is none', { ...event, pseudonym: 'mandate-m1' }],
    ['an envelope without an actor', { ...event, metadata: { ...event.metadata, actor: null } }],
  ])('are refused as an event: %s', (_, wrong) => {
    expect(() => parseEvent(JSON.stringify(wrong))).toThrow(UnreadableBundle);
  });
});
