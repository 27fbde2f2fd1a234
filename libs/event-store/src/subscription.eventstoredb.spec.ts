import { PassThrough } from 'node:stream';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Connection, Line } from './connection.eventstoredb.js';
import { Namespace } from './names.eventstoredb.js';
import { Reads } from './reads.eventstoredb.js';
import { positionOf } from './stored-event.js';
import { follow } from './subscription.eventstoredb.js';

const eventAt = (place: string) => {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from('$others')))
    .setId(new shared.UUID().setString('00000000-0000-4000-8000-000000000000'))
    .setCommitPosition(place)
    .setPreparePosition(place);
  return new streams.ReadResp().setEvent(new streams.ReadResp.ReadEvent().setEvent(recorded));
};

/** A line to a node whose log ends there; a subscription to it has caught up at once. */
const lineTo = (end: string): Line => {
  const server = {
    getChannel: () => ({ getTarget: () => 'dns:a:1' }),
    read: (request: ReadReq) => {
      const call = Object.assign(new PassThrough({ objectMode: true }), { cancel: () => undefined });
      if (request.getOptions()?.hasSubscription())
        call.write(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
      else call.end(eventAt(end));
      return call;
    },
  };
  const client = {
    callArguments: () => [],
    GRPCStreamCreator: (_: unknown, __: string, call: (one: typeof server) => PassThrough) => () =>
      Promise.resolve(call(server)),
  };
  return { client, end: () => undefined, isOver: () => false } as unknown as Line;
};

describe('a subscription that a node answers which led before', () => {
  it('has caught up with the log of that node, and not with what another one has beyond', async () => {
    const [leading, stale] = [lineTo('9'), lineTo('5')];
    const connection = { line: leading, another: () => stale, renew: () => undefined } as unknown as Connection;
    const source = { connection, reads: new Reads(connection, 1_000), namespace: new Namespace('') };
    const over = new AbortController();
    for await (const delivery of follow(source, { after: null, categories: null, signal: over.signal })) {
      expect(delivery).toEqual({ event: null, checkpoint: { position: positionOf(5) } });
      break;
    }
    over.abort();
  });
});
