import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { isLoopbackAddress, isPublicAddress } from './public-addresses.js';
import { DocumentUnread } from './remote-documents.port.js';

/** The longest document, in bytes: what the draft on client metadata documents recommends. */
export const LARGEST = 5 * 1_024;
const LARGEST_HEAD = 8 * 1_024;

/** How names become addresses and addresses connections. Tests bring their own. */
export interface Network {
  /** The addresses of a name; none: it has none. */
  readonly resolve: (host: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** A connection that is being made to one of `addresses`, without TLS. */
  readonly dial: (addresses: readonly string[], port: number) => Socket;
  /** The certificates that are trusted, instead of the system's. */
  readonly ca?: string;
}

export interface Guard {
  readonly network: Network;
  /** Whether loopback names may be fetched, at loopback addresses. Only for a service that is itself at home there. */
  readonly allowsLoopback: boolean;
}

export interface Answer {
  readonly body: Readonly<Record<string, unknown>>;
  readonly mediaType: string;
  readonly headers: IncomingMessage['headers'];
}

const LOCAL = /^(?:localhost|127\.0\.0\.1|::1)$/;
const LOCALHOST = ['127.0.0.1', '::1'] as const;

/** The network as it is. DNS is asked without the system's resolver, whose threads passwords and files need. */
export const INTERNET: Network = {
  resolve: async (host, signal) => {
    if (isIP(host)) return [host];
    if (host === 'localhost') return LOCALHOST;
    const resolver = new Resolver({ timeout: 1_000, tries: 2 });
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel);
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  },
  dial: (addresses, port) =>
    connect({
      // Never looked up: the addresses that were judged are those that are dialled.
      host: 'judged.invalid',
      port,
      autoSelectFamily: true,
      lookup: (_host, _options, found) =>
        found(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
    }),
};

/** A JSON object from public addresses, resolved once. @throws DocumentUnread, or anything once `signal` aborts */
export const guardedGet = async (url: URL, guard: Guard, signal: AbortSignal): Promise<Answer> => {
  let socket: Socket | null = null;
  const end = () => void socket?.destroy();
  signal.addEventListener('abort', end);
  try {
    socket = await dialled(url, guard, signal);
    const response = await answerTo(url, socket, guard, signal);
    return { ...(await readAnswer(response)), headers: response.headers };
  } catch (cause) {
    throw cause instanceof DocumentUnread ? cause : new DocumentUnread('unreachable', { cause });
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
};

const HTTPS = 443;
/** A host as it is resolved: an IPv6 address without its brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

const dialled = async (url: URL, { network, allowsLoopback }: Guard, signal: AbortSignal): Promise<Socket> => {
  const host = hostOf(url);
  const mayDial = allowsLoopback && LOCAL.test(host) ? isLoopbackAddress : isPublicAddress;
  const addresses = await network.resolve(host, signal);
  signal.throwIfAborted();
  if (addresses.length === 0) throw new DocumentUnread('host_unknown');
  const allowed = addresses.filter(mayDial);
  if (allowed.length === 0) throw new DocumentUnread('address_not_public');
  const socket = network.dial(allowed, Number(url.port || HTTPS));
  socket.on('error', () => undefined); // who waits for it gets the error
  try {
    await once(socket, 'connect', { signal });
    if (!mayDial(socket.remoteAddress ?? '')) throw new DocumentUnread('address_not_public');
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
};

const answerTo = (
  url: URL,
  socket: Socket,
  { network: { ca } }: Guard,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const host = hostOf(url);
    const request = httpsRequest({
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Alcada' },
      maxHeaderSize: LARGEST_HEAD,
      signal,
      createConnection: () =>
        tlsConnect({ socket, host, ...(isIP(host) === 0 && { servername: host }), ...(ca !== undefined && { ca }) }),
    });
    request.on('response', resolve);
    request.on('error', reject);
    // What switches to another protocol ends without an error and without an answer.
    request.on('close', () => reject(new DocumentUnread('unreachable')));
    request.end();
  });

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/;

const readAnswer = async (response: IncomingMessage): Promise<Omit<Answer, 'headers'>> => {
  const { statusCode, headers } = response;
  if (statusCode === 404 || statusCode === 410) throw new DocumentUnread('gone');
  if (statusCode !== 200) throw new DocumentUnread('status_not_200');
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!JSON_TYPE.test(mediaType) || encoding !== 'identity') throw new DocumentUnread('media_type');
  if (Number(headers['content-length'] ?? 0) > LARGEST) throw new DocumentUnread('too_large');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    const bytes = chunk as Buffer; // no encoding is set
    length += bytes.length;
    if (length > LARGEST) throw new DocumentUnread('too_large');
    chunks.push(bytes);
  }
  const body = objectIn(Buffer.concat(chunks));
  if (body === null) throw new DocumentUnread('not_an_object');
  return { body, mediaType };
};

const objectIn = (bytes: Buffer): Readonly<Record<string, unknown>> | null => {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
};
