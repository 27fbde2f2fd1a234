import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** A request byte by byte: what stands in its head is sent as Latin-1, as it is. */
export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
  readonly version?: '1.0' | '1.1';
  /** Its head or framing is broken, so that nothing can follow it: our side of the connection ends with it. */
  readonly isLast?: boolean;
}

export interface Received {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** How long (ms) an answer may take before nobody believes in it any more: for what hangs, not for what is slow. */
const PATIENCE = 60_000;
const SEPARATOR = Buffer.from('\r\n\r\n');

export const headOf = ({ method, target, version = '1.1', headers }: Sent): Buffer => {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n`, 'latin1');
};

/** Bytes of the longest head that Node reads: what is longer is no request, and ends its connection. */
const HEAD_ROOM = 16 * 1024;

export const isTooLong = (sent: Sent): boolean => headOf(sent).length > HEAD_ROOM;

/** Whether nothing can follow a request on its connection, and no answer may come back on it. */
export const isLast = (sent: Sent): boolean => sent.isLast === true || isTooLong(sent);

export const bytesOf = (sent: Sent): Buffer => (sent.body ? Buffer.concat([headOf(sent), sent.body]) : headOf(sent));

/** A connection that is kept alive from request to request, as far as the server lets it be. */
export class Line {
  private socket: Socket | null = null;

  constructor(private readonly port: number) {}

  /** The answer to a request; null: it ended without one. @throws Error where nothing comes for a minute, or more */
  async send(sent: Sent): Promise<Received | null> {
    const known = this.socket;
    const answer = await this.ask(sent);
    // The server may close what idles at the moment we speak: a request that no byte answers goes to a new connection.
    return answer ?? (known && !isLast(sent) ? this.ask(sent) : null);
  }

  close(): void {
    this.socket?.destroy();
    this.socket = null;
  }

  private ask(sent: Sent): Promise<Received | null> {
    const socket = this.socket ?? connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    this.socket = socket;
    return new Promise((resolve, reject) => {
      let got: Buffer = Buffer.alloc(0);
      const finish = (answer: Received | null, isKept: boolean): void => {
        clearTimeout(timer);
        socket.removeAllListeners();
        socket.on('error', () => undefined);
        if (!isKept) this.close();
        resolve(answer);
      };
      const timer = setTimeout(() => {
        finish(null, false);
        reject(new Error('no answer within a minute'));
      }, PATIENCE);
      const look = (isEnd: boolean): void => {
        const read = readAnswer(got, sent.method, isEnd);
        if (read === 'more') return;
        if (read && read.rest > 0 && !isLast(sent)) reject(new Error(`${read.rest} bytes after the answer`));
        finish(read?.answer ?? null, read !== null && !read.isClosed && !isLast(sent) && !isEnd);
      };
      socket.on('data', (bytes: Buffer) => {
        got = got.length === 0 ? bytes : Buffer.concat([got, bytes]);
        look(false);
      });
      socket.on('error', () => look(true));
      socket.on('close', () => look(true));
      if (isLast(sent)) socket.end(bytesOf(sent));
      else socket.write(bytesOf(sent));
    });
  }
}

interface Read {
  readonly answer: Received;
  readonly isClosed: boolean;
  /** Bytes that came after it. */
  readonly rest: number;
}

/** Reads an answer out of what came so far; null: it ended without one. */
const readAnswer = (bytes: Buffer, method: string, isEnd: boolean): Read | null | 'more' => {
  const cut = bytes.indexOf(SEPARATOR);
  if (cut < 0) return isEnd ? null : 'more';
  const [start = '', ...lines] = bytes.subarray(0, cut).toString('latin1').split('\r\n');
  const status = Number(start.split(' ')[1]);
  const after = bytes.subarray(cut + SEPARATOR.length);
  if (status === 100) return readAnswer(after, method, isEnd);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [headers.get(name), line.slice(colon + 1).trim()].filter((one) => one !== undefined).join(', '));
  }
  const isClosed = headers.get('connection') === 'close';
  const answer = (body: Buffer, rest: number): Read => ({
    answer: { status, headers, text: textOf(body, headers.get('content-encoding')) },
    isClosed,
    rest,
  });
  if (method === 'HEAD' || status === 204 || status === 304) return answer(NOTHING, after.length);
  // A stream does not end: its head is the answer.
  if (headers.get('content-type')?.startsWith('text/event-stream')) return { ...answer(NOTHING, 0), isClosed: true };
  if (headers.get('transfer-encoding') === 'chunked') {
    const whole = readChunks(after);
    return whole ? answer(whole.body, whole.rest) : isEnd ? null : 'more';
  }
  const length = Number(headers.get('content-length') ?? NaN);
  if (Number.isNaN(length)) return isEnd ? answer(after, 0) : 'more';
  if (after.length < length) return isEnd ? null : 'more';
  return answer(after.subarray(0, length), after.length - length);
};

const NOTHING = Buffer.alloc(0);

/** A body as its reader reads it; what is not in the coding that it names is left as it is, and no JSON. */
const textOf = (body: Buffer, coding: string | undefined): string => {
  try {
    if (coding === 'gzip' && body.length > 0) return gunzipSync(body).toString();
    if (coding === 'br' && body.length > 0) return brotliDecompressSync(body).toString();
  } catch {
    return body.toString('latin1');
  }
  return body.toString();
};

const readChunks = (bytes: Buffer): { readonly body: Buffer; readonly rest: number } | null => {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return null;
    const size = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    const next = end + 2 + size + 2;
    if (bytes.length < next) return null;
    if (size === 0) return { body: Buffer.concat(parts), rest: bytes.length - next };
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = next;
  }
};
