import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** Sends a request; unlike `fetch` with the path and the `Host` as they are given, and on a connection of its own. */
export const sendRaw = (
  origin: string,
  { method = 'GET', path, headers = {}, body = '' }: RawRequest,
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const length = { 'content-length': Buffer.byteLength(body) };
    const options = { hostname, port, method, path, agent: false, headers: { ...headers, ...(body && length) } };
    const sent = request(options, (answer) => {
      text(answer).then(
        (whole) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: whole }),
        reject,
      );
    });
    sent.on('error', reject).end(body);
  });
