import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { through } from './mongodb-proxy.js';
import { commandOf, eachMessage, isCommand } from './mongodb-wire.js';

/** Tells `find grants` of each command that a process sends to a MongoDB by this way. */
export const countedMongo = async (url: string, tell: (call: string) => void) => {
  const { hostname, port } = new URL(url);
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port || 27_017) });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.pipe(upstream).pipe(client);
    eachMessage(client, (message) => {
      if (isCommand(message)) tell(nameOf(message));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has such an address.
  return { url: through(url, server.address() as AddressInfo), close: () => server.close() };
};

const nameOf = (message: Buffer): string => {
  const [[command, collection] = ['', '']] = Object.entries(commandOf(message));
  return typeof collection === 'string' ? `${command} ${collection}` : command;
};
