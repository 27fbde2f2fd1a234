import { once } from 'node:events';
import { connect, createServer, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { categoryOf } from '#events';
import { hostOf, through } from './event-store-server.js';

/** Tells `append OrderPlaced`, `read booking`, `read $all` or `subscribe` of each call that a process makes by this way. */
export const countedEvents = async (url: string, tell: (call: string) => void) => {
  const { host, port } = hostOf(url);
  const upstream = connect(`http://${host}:${port}`);
  const server = createServer();
  server.on('session', (session) => session.on('error', () => undefined));
  server.on('stream', (stream, headers) => {
    const call = upstream.request(headers);
    let trailers: IncomingHttpHeaders = {};
    call.on('response', (answer, flags) => {
      const isAll = (flags & END_STREAM) !== 0;
      stream.respond(answer, isAll ? { endStream: true } : { waitForTrailers: true });
    });
    call.on('trailers', (given: IncomingHttpHeaders) => (trailers = given));
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.on('aborted', () => call.close(stream.rstCode));
    call.on('aborted', () => stream.close(call.rstCode));
    for (const one of [stream, call]) one.on('error', () => undefined);
    stream.pipe(call).pipe(stream);
    const method = headers[':path']?.split('/').at(-1) ?? '';
    messagesIn(stream, (message) => tell(nameOf(method, message)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A server that listens on a port has such an address.
    url: through(url, (server.address() as AddressInfo).port),
    close: () => {
      upstream.destroy();
      server.close();
    },
  };
};

/** The flag of a frame that ends its stream (RFC 9113 §6.2). */
const END_STREAM = 1;
/** What precedes a message of gRPC: whether it is compressed, and its length. */
const PREFIX = 5;

const messagesIn = (stream: Readable, told: (message: Buffer) => void): void => {
  let rest = Buffer.alloc(0);
  stream.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= PREFIX && rest.length >= PREFIX + rest.readUInt32BE(1)) {
      const end = PREFIX + rest.readUInt32BE(1);
      told(rest.subarray(PREFIX, end));
      rest = rest.subarray(end);
    }
  });
};

const nameOf = (method: string, message: Buffer): string => {
  if (method === 'BatchAppend') {
    const events = streams.BatchAppendReq.deserializeBinary(message).getProposedMessagesList();
    return `append ${events.map((event) => event.getMetadataMap().get('type')).join('+')}`;
  }
  if (method !== 'Read') return method;
  const options = streams.ReadReq.deserializeBinary(message).getOptions();
  if (options?.hasSubscription()) return 'subscribe';
  const name = options?.getStream()?.getStreamIdentifier()?.getStreamName_asU8();
  return name
    ? `read ${categoryOf(
        Buffer.from(name)
          .toString()
          .replace(/^[^.]*\./, ''),
      )}`
    : 'read $all';
};
