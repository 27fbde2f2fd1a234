import { Namespace, ourEvent } from './names.eventstoredb.js';
import { sample } from './testing/sample-events.js';

const recorded = (streamId: string, metadata: unknown) => ({
  streamId,
  revision: 0n,
  position: { commit: 7n, prepare: 7n },
  type: 'Noted',
  data: {},
  metadata,
});
const ours: unknown = JSON.parse(sample().metadata);

it('an event of ours is known by its envelope, whoever else has streams on the server', () => {
  const everything = new Namespace('');
  expect(ourEvent(everything, recorded('order-1', ours))).toMatchObject({ stream: 'order-1', metadata: ours });
  for (const metadata of [undefined, null, '', {}, { occurredAt: 'today', hash: 'a' }, { occurredAt: 1, hash: 'a' }])
    expect(ourEvent(everything, recorded('test-1', metadata))).toBeNull();
  expect(ourEvent(everything, recorded('$stats', ours))).toBeNull();
  expect(ourEvent(new Namespace('a'), recorded('order-1', ours))).toBeNull();
  expect(ourEvent(new Namespace('a'), recorded('a.order-1', ours))).toMatchObject({ stream: 'order-1' });
});
