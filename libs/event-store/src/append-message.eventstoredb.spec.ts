import streams from '@eventstore/db-client/generated/streams_pb.js';
import { appendedOf, appendRequest } from './append-message.eventstoredb.js';
import { EventsTooLarge } from './event-store.errors.js';
import { NO_STREAM } from './event-store.port.js';
import { sample } from './testing/sample-events.js';

const MIB = 1024 * 1024;

describe('an append as EventStoreDB takes it', () => {
  it('has the bytes of every event, counted as UTF-8, up to what any server takes', () => {
    const events = [sample({ text: '✈'.repeat(4 * MIB) }), sample({ text: '✈'.repeat(MIB / 2) })];
    const sent = appendRequest('an id', 'a stream', NO_STREAM, events).getProposedMessagesList();
    const texts = sent.map((message) => [message.getData_asU8(), message.getCustomMetadata_asU8()].map(textOf));
    expect(texts).toEqual(events.map(({ data, metadata }) => [data, metadata]));
    const more = [...events, sample({ text: '✈'.repeat(MIB / 2) })];
    expect(() => appendRequest('an id', 'a stream', NO_STREAM, more)).toThrow(EventsTooLarge);
  });

  it('was more than this server takes where the server says so', () => {
    const tooLarge = field(1, Buffer.from('type.googleapis.com/event_store.client.MaximumAppendSizeExceeded'));
    const response = streams.BatchAppendResp.deserializeBinary(field(2, field(3, tooLarge)));
    expect(() => appendedOf(response)).toThrow(EventsTooLarge);
  });
});

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A member of a message in the wire format of protocol buffers, of fewer than 128 bytes. */
const field = (number: number, content: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.of((number << 3) | 2, content.length), content]);
