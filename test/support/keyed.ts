import type { Answer, Api } from '#agent';
import type { Refused } from './answers.js';

let keys = 0;
export const newKey = (): string => `chave-${(keys += 1)}`;

export const post = <Body>(api: Api, path: string, body: unknown, key: string): Promise<Answer<Body>> =>
  api.call<Body>('POST', path, body, { 'idempotency-key': key });

/** What a client sees of an answer, and whether it was given before. */
export const seen = ({ status, headers, body }: Answer<unknown>) => ({
  status,
  body,
  location: headers.get('location'),
  replayed: headers.get('idempotent-replayed'),
});
export const again = (first: Answer<unknown>) => ({ ...seen(first), replayed: 'true' });
export const refusal = ({ status, body }: Answer<Partial<Refused>>): string => `${status} ${body.error ?? ''}`;
