import { type Db, type Document, MongoClient } from 'mongodb';
import { type Target, TcpProxy } from '#testing';

/** Where the server is that takes the writes of a database. */
export const addressOfPrimary = async (database: Db): Promise<Target> => {
  const hello: Document = await database.command({ hello: 1 });
  const first = database.client.options.hosts[0]?.toString() ?? '';
  const primary = typeof hello['primary'] === 'string' ? hello['primary'] : first;
  const { hostname, port } = new URL(`mongodb://${primary}`);
  return { host: hostname, port: Number(port || 27_017) };
};

export const primaryOf = async (database: Db): Promise<TcpProxy> => TcpProxy.to(await addressOfPrimary(database));

export const proxyTo = async (url: string): Promise<TcpProxy> => {
  const client = new MongoClient(url);
  try {
    return await primaryOf(client.db());
  } finally {
    await client.close();
  }
};

export const through = (url: string, { port }: Pick<TcpProxy, 'port'>): string =>
  withHosts(url, [`127.0.0.1:${port}`], { directConnection: 'true' });

export const throughMembers = (url: string, hosts: readonly string[]): string =>
  withHosts(url, hosts, { replicaSet: 'alcada' });

const withHosts = (url: string, hosts: readonly string[], more: Readonly<Record<string, string>>): string => {
  const [, login = '', path = '', query = ''] = /^[^/]+\/\/([^/?]*@)?[^/?]+(\/[^?]*)?\??(.*)$/.exec(url) ?? [];
  const options = new URLSearchParams(query);
  for (const name of ['replicaSet', 'directConnection']) options.delete(name);
  for (const [name, value] of Object.entries(more)) options.set(name, value);
  return `mongodb://${login}${hosts.join(',')}${path || '/'}?${options.toString()}`;
};
