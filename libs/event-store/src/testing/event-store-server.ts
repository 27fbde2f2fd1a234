import { randomUUID } from 'node:crypto';
import process from 'node:process';

/** The EventStoreDB to test against, if there is one: the tests that need it say when they are skipped. */
export const serverUrl = process.env['EVENTSTORE_URL'] ?? null;

/** A namespace of its own for one run, so that a server can be used again. */
export const newNamespace = (): string => `t-${randomUUID().slice(0, 8)}`;

const HOST = /^(esdb:\/\/(?:[^@/]*@)?)([^:/?,]+)(?::(\d+))?(.*)$/;

/** Host and port of a URL that names one server. */
export const hostOf = (url: string): { readonly host: string; readonly port: number } => {
  const [, , host = '', port = '2113'] = HOST.exec(url) ?? [];
  if (host === '') throw new Error('these tests need a URL of one server, esdb://host:port');
  return { host, port: Number(port) };
};

/** The URL with a port of this machine instead of the server's own. */
export const through = (url: string, port: number): string =>
  url.replace(HOST, (_, before: string, _host, _port, after: string) => `${before}127.0.0.1:${port}${after}`);
