import type { Config } from '#config';
import { Aggregates } from '#event-store';
import { type Context, newCause, SYSTEM } from '#kernel';
import { type EndedAccess, endAccess } from '#oauth';
import { checkoutsOn, everyOpenMandate, revokeMandates } from '#order';
import { createLogger, dependenciesOn, oauthSettings, type Ports } from '#runtime';
import { count } from '../audit/format.js';
import type { Line } from '../command-line.js';

/** What was ended of what was in force at an earlier moment. */
export interface EndedRevived extends EndedAccess {
  readonly openMandates: number;
  /** Whether these were ended as well; else they can be spent, by agents that their travellers let in again. */
  readonly mandatesEnded: boolean;
}

/**
 * Ends on stores of an earlier moment what must not be in force again: all access, and mandates where that is asked for.
 * Run again it does what is left.
 */
export const endRevived = async (ports: Ports, config: Config, mandatesEnded: boolean): Promise<EndedRevived> => {
  const access = await endAccess(ports, oauthSettings(config));
  const { events, clock, ids } = ports;
  const open = await everyOpenMandate({ aggregates: new Aggregates(events, clock, ids), clock }, events);
  if (mandatesEnded && open.length > 0) {
    const { aggregates, processor, ...dependencies } = await dependenciesOn(ports, config, createLogger('silent'));
    const checkouts = checkoutsOn(aggregates, processor, dependencies, dependencies.orderSettings);
    const context: Context = { actor: SYSTEM, ...newCause(ids) };
    await revokeMandates(checkouts, open, context);
  }
  return { ...access, openMandates: open.length, mandatesEnded };
};

/** What was ended, for people. */
export const endedLines = (ended: EndedRevived): readonly Line[] => [
  ['grants', `${ended.grants} ended, with ${count(ended.refreshTokens, 'refresh token')}`],
  ['logins', `${ended.logins} of travellers and ${ended.auditorLogins} of auditors ended`],
  ['consents', `${ended.consents} forgotten`],
  ['under way', `${count(ended.requests, 'authorization request')} and ${count(ended.codes, 'code')} ended`],
  ['keys', `${count(ended.signingKeys, 'signing key')} deleted; the next start makes a new one`],
  [
    'mandates',
    ended.mandatesEnded
      ? `${ended.openMandates} ended`
      : `${ended.openMandates} open, which stay; --end-mandates ends them`,
  ],
];
