import type { Answer, Api } from '../../apps/cli/src/agent/index.js';
import type { Refused } from './answers.js';

let keys = 0;
/** A key that no other test uses. */
export const newKey = (): string => `chave-${(keys += 1)}`;

/** A POST with an `Idempotency-Key`. */
export const post = <Body>(api: Api, path: string, body: unknown, key: string): Promise<Answer<Body>> =>
  api.call<Body>('POST', path, body, { 'idempotency-key': key });

/** What a client sees of an answer, and whether it was given before. */
export const seen = ({ status, headers, body }: Answer<unknown>) => ({
  status,
  body,
  location: headers.get('location'),
  replayed: headers.get('idempotent-replayed'),
});
/** The same answer, given again. */
export const again = (first: Answer<unknown>) => ({ ...seen(first), replayed: 'true' });
/** Status and code of a refusal. */
export const refusal = ({ status, body }: Answer<Partial<Refused>>): string => `${status} ${body.error ?? ''}`;
