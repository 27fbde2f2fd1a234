import { canonicalJson } from '#kernel';
import { envelopeOf } from './envelope.js';

const metadata = {
  $causationId: 'b',
  $correlationId: 'a',
  actor: { clientId: null, holder: 'h' },
  eventId: 'e1',
  hash: 'ab'.repeat(32),
  occurredAt: '2026-01-15T12:00:00.000Z',
  schemaVersion: 2,
};

describe('the envelope of an event', () => {
  it.each([
    ['of before', metadata],
    ['that says whose it is', { ...metadata, party: { clientId: 'agent', holder: 'h' } }],
  ])('%s is read the same way without parsing it as by parsing it', (_, written) => {
    const read = envelopeOf({ metadata: canonicalJson(written) });
    const { hash: _hash, ...unchained } = written;
    const { $causationId: _cause, $correlationId: _whole, ...known } = written;
    expect(read).toEqual({ metadata: known, unchained: canonicalJson(unchained) });
    expect(envelopeOf({ metadata: JSON.stringify(written, null, 1) })).toEqual(read);
  });

  it('is none where a party lacks one of the two', () => {
    for (const party of [{ holder: 'h' }, { clientId: 'agent', holder: null }, 'h'])
      expect(envelopeOf({ metadata: canonicalJson({ ...metadata, party }) })).toBeNull();
  });
});
