import { ERROR_CATALOGUE } from '#http';
import { ERROR_CODES } from '#kernel';
import type { Answer } from '#agent';
import type { RunningApi } from '../../apps/api/src/start.js';
import type { Refused } from './answers.js';
import { changesOf } from './changes.js';

export interface DomainError {
  readonly answer: string;
  readonly events: readonly string[];
  readonly ledgerRows: number;
}

/** A refusal as it must be; `events`: what it may write, by default nothing. */
export const refused = (
  status: number,
  error: string,
  events: readonly string[] = [],
  ledgerRows = 0,
): DomainError => ({
  answer: `${status} ${error}`,
  events,
  ledgerRows,
});

/** Makes a call that is refused. Its answer must be the catalogue's, with the request's id. */
export const refusalOf = async (service: RunningApi, call: () => Promise<Answer<Refused>>): Promise<DomainError> => {
  let answer = '';
  const { events, ledgerRows } = await changesOf(service, async () => {
    const { status, headers, body } = await call();
    const code = ERROR_CODES.find((known) => known === body.error);
    expect(body).toMatchObject({
      message: code && ERROR_CATALOGUE[code].message,
      requestId: headers.get('x-request-id'),
    });
    answer = `${status} ${body.error}`;
  });
  return { answer, events: events.map(({ type }) => type), ledgerRows };
};
