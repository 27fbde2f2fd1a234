import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The load generator of everything that sends the same request again and again. */
export const AUTOCANNON = { autocannon: '9.0.0' } as const;

const run = promisify(execFile);

/** A request that is sent again and again. */
export interface Request {
  readonly url: string;
  /** Sent as JSON by POST; none: GET. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests answered a second with a 2xx, by autocannon in a process of its own, put into `folder`. */
export const requestsPerSecond = async (
  folder: string,
  { url, body, headers = {} }: Request,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<number> => {
  const posted =
    body === undefined ? [] : ['-m', 'POST', '-b', JSON.stringify(body), '-H', 'content-type=application/json'];
  const { stdout } = await run(process.execPath, [
    join(folder, 'node_modules/autocannon/autocannon.js'),
    ...['--json', '--no-progress', '-c', String(connections), '-d', String(seconds)],
    ...posted,
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]),
    url,
  ]);
  const { requests, non2xx } = JSON.parse(stdout) as { requests: { average: number }; non2xx: number };
  if (non2xx > 0) throw new Error(`${non2xx} answers were not 2xx at ${url}`);
  return requests.average;
};
