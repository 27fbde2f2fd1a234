import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { BSON } from 'mongodb';
import { through } from './mongodb-proxy.js';

/** Where a message of the wire protocol has its kind (OP_MSG), and its first document. */
const [KIND_AT, OP_MSG, DOCUMENT_AT] = [12, 2013, 21];

/** Tells `find grants` of each command that a process sends to a MongoDB by this way. */
export const countedMongo = async (url: string, tell: (call: string) => void) => {
  const { hostname, port } = new URL(url);
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port || 27_017) });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.pipe(upstream).pipe(client);
    let rest = Buffer.alloc(0);
    client.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
        const message = rest.subarray(0, rest.readInt32LE(0));
        rest = rest.subarray(message.length);
        if (message.readInt32LE(KIND_AT) === OP_MSG) tell(nameOf(message.subarray(DOCUMENT_AT)));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has such an address.
  return { url: through(url, server.address() as AddressInfo), close: () => server.close() };
};

const nameOf = (bytes: Buffer): string => {
  const [[command, collection] = ['', '']] = Object.entries(BSON.deserialize(bytes.subarray(0, bytes.readInt32LE(0))));
  return typeof collection === 'string' ? `${command} ${collection}` : command;
};
