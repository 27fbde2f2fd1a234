import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { isLoopbackAddress, isPublicAddress } from './public-addresses.js';
import { DocumentUnread } from './remote-documents.port.js';

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

/** What is sent to a stranger's server. `body` null: it is asked for something. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
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

/** Sends a request to public addresses, resolved once, and reads its answer. @throws DocumentUnread, or anything once `signal` aborts */
export const guardedRequest = async <Read>(
  url: URL,
  sent: Sent,
  guard: Guard,
  signal: AbortSignal,
  read: (response: IncomingMessage) => Read | Promise<Read>,
): Promise<Read> => {
  let socket: Socket | null = null;
  const end = () => void socket?.destroy();
  signal.addEventListener('abort', end);
  try {
    socket = await dialled(url, guard, signal);
    return await read(await answerTo(url, sent, socket, guard, signal));
  } catch (cause) {
    throw cause instanceof DocumentUnread ? cause : new DocumentUnread('unreachable', { cause });
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
};

/** Whether an address may be asked at all: https, or http where a service that is at home on loopback asks there. */
export const isAskable = (url: URL, allowsLoopback: boolean): boolean => {
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && allowsLoopback && LOCAL.test(hostOf(url)));
  return isSecure && !url.username && !url.password && !url.href.includes('#');
};

/**
 * An address in its one spelling (RFC 3986 §6.2.2, §6.2.3): as the URL standard writes it, without a dot after its host, and nothing
 * escaped for nothing. null: it has a `%` that escapes nothing.
 */
export const spelled = (address: string): string | null => {
  const url = new URL(address);
  url.hostname = url.hostname.replace(/\.+$/, '');
  if (/%(?![\da-f]{2})/i.test(url.href)) return null;
  return url.href.replace(/%../g, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
};

const PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };
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
  const socket = network.dial(allowed, Number(url.port || PORTS[url.protocol]));
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
  { headers, body }: Sent,
  socket: Socket,
  { network: { ca } }: Guard,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const host = hostOf(url);
    const secured = () =>
      tlsConnect({ socket, host, ...(isIP(host) === 0 && { servername: host }), ...(ca !== undefined && { ca }) });
    const isSecure = url.protocol === 'https:';
    const request = (isSecure ? httpsRequest : httpRequest)({
      method: body === null ? 'GET' : 'POST',
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'Alcada',
        ...headers,
      },
      maxHeaderSize: LARGEST_HEAD,
      signal,
      createConnection: () => (isSecure ? secured() : socket),
    });
    request.on('response', resolve);
    request.on('error', reject);
    // What switches to another protocol ends without an error and without an answer.
    request.on('close', () => reject(new DocumentUnread('unreachable')));
    request.end(body ?? undefined);
  });
