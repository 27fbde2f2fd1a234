import { type Db, type Document, MongoClient } from 'mongodb';
import { TcpProxy } from '#testing';

/** A proxy to the server that takes the writes of a database. */
export const primaryOf = async (database: Db): Promise<TcpProxy> => {
  const hello: Document = await database.command({ hello: 1 });
  const first = database.client.options.hosts[0]?.toString() ?? '';
  const primary = typeof hello['primary'] === 'string' ? hello['primary'] : first;
  const { hostname, port } = new URL(`mongodb://${primary}`);
  return TcpProxy.to({ host: hostname, port: Number(port || 27_017) });
};

/** A proxy to the server that takes the writes at an address. */
export const proxyTo = async (url: string): Promise<TcpProxy> => {
  const client = new MongoClient(url);
  try {
    return await primaryOf(client.db());
  } finally {
    await client.close();
  }
};

/** The address of a database, by way of a proxy and of nothing else. */
export const through = (url: string, proxy: Pick<TcpProxy, 'port'>): string => {
  const [, login = '', path = '', query = ''] = /^[^/]+\/\/([^/?]*@)?[^/?]+(\/[^?]*)?\??(.*)$/.exec(url) ?? [];
  const options = new URLSearchParams(query);
  options.delete('replicaSet');
  options.set('directConnection', 'true');
  return `mongodb://${login}127.0.0.1:${proxy.port}${path || '/'}?${options.toString()}`;
};
