import { bundleLine, parseEvent, parseHeader, UnreadableBundle } from './bundle.js';
import { BUNDLE_FORMAT, VERSIONS } from './version.js';

const header = { format: BUNDLE_FORMAT, about: { mandate: 'm1' }, checkpoint: 'a note\n', events: 1 } as const;
const event = {
  stream: 'mandate-m1',
  revision: 0,
  type: 'MandateRevoked',
  data: { revokedAt: '2026-01-31T12:00:00.000Z' },
  metadata: {
    eventId: 'e1',
    occurredAt: '2026-01-31T12:00:00.000Z',
    $correlationId: 'c1',
    $causationId: 'c2',
    actor: { holder: 'h', clientId: null },
    schemaVersion: 1,
    hash: 'a'.repeat(64),
  },
  previousHash: '0'.repeat(64),
  key: 'A'.repeat(43),
  index: 7,
  proof: [`${'A'.repeat(43)}=`],
};

describe('the lines of a bundle', () => {
  it('are read as they were written', () => {
    expect(parseHeader(bundleLine(header))).toEqual(header);
    const older = { ...header, format: 'alcada.bundle/v1' } as const;
    expect(parseHeader(bundleLine(older))).toEqual(older);
    expect(parseEvent(bundleLine(event))).toEqual(event);
  });

  it('may say whose an event is, but not in v1', () => {
    const { key, metadata, ...more } = event;
    const told = { ...metadata, party: { holder: 'h', clientId: 'agent' } };
    expect(parseEvent(bundleLine({ ...more, key, metadata: told }))).toEqual({ ...more, key, metadata: told });
    const older = { ...more, pseudonym: key };
    expect(parseEvent(bundleLine({ ...older, metadata }), 1)).toEqual({ ...older, metadata });
    expect(() => parseEvent(bundleLine({ ...older, metadata: told }), 1)).toThrow(UnreadableBundle);
  });

  it('have at most 100 levels, their own object being the first', () => {
    const deep = bundleLine(event).replace('"data":{', `"data":{"a":${'['.repeat(98)}${']'.repeat(98)},`);
    expect(parseEvent(deep).stream).toBe(event.stream);
  });

  it('have names that are whole numbers first, as long as programs index by them', () => {
    const named = (name: string) => bundleLine(event).replace('"data":{', `"data":{"a":0,"${name}":0,`);
    expect(parseEvent(named('4294967295')).stream).toBe(event.stream);
    expect(() => parseEvent(named('4294967294'))).toThrow(UnreadableBundle);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['of another format', JSON.stringify({ ...header, format: 'alcada.bundle/v0' })],
    ['of a later format', JSON.stringify({ ...header, format: `alcada.bundle/v${VERSIONS.length + 1}` })],
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
    ['white space at the end', `${bundleLine(event)} `],
    ['a carriage return at the end', `${bundleLine(event)}\r`],
    ['a fraction', bundleLine(event).replace('"data":{', '"data":{"a":1.5,')],
    ['a number past 2^53', bundleLine(event).replace('"data":{', '"data":{"a":9007199254740992,')],
    ['a number of another spelling', bundleLine(event).replace('"data":{', '"data":{"a":1e+21,')],
    ['half a character', bundleLine(event).replace('"data":{', '"data":{"a":"\\ud800",')],
    ['half a character in a name', bundleLine(event).replace('"data":{', '"data":{"\\udfff":1,')],
    ['101 levels', bundleLine(event).replace('"data":{', `"data":{"a":${'['.repeat(99)}${']'.repeat(99)},`)],
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
    ['a proof that is not base64', { ...event, proof: ['q83v='] }],
    ['a proof with a hash of 33 bytes', { ...event, proof: ['A'.repeat(44)] }],
    ['a proof with a hash whose bits are left over', { ...event, proof: [`${'A'.repeat(42)}B=`] }],
    ['an envelope with more members', { ...event, metadata: { ...event.metadata, note: '' } }],
    [
      'an actor with more members',
      { ...event, metadata: { ...event.metadata, actor: { holder: 'h', clientId: null, ip: '' } } },
    ],
    ['an envelope without its cause', { ...event, metadata: { ...event.metadata, $causationId: null } }],
    ['a time that is none', { ...event, metadata: { ...event.metadata, occurredAt: '2026-02-31T12:00:00.000Z' } }],
    ['a party with no agent', { ...event, metadata: { ...event.metadata, party: { holder: 'h', clientId: null } } }],
    ['an envelope without an actor', { ...event, metadata: { ...event.metadata, actor: null } }],
  ])('are refused as an event: %s', (_, wrong) => {
    expect(() => parseEvent(JSON.stringify(wrong))).toThrow(UnreadableBundle);
  });
});
