import type { Command } from 'commander';
import type { Config } from '#config';
import { Aggregates } from '#event-store';
import { type Context, newCause, SYSTEM } from '#kernel';
import { everyOpenMandate, revokeMandates } from '#mandate';
import { endAccess, type EndedAccess } from '#oauth';
import { checkoutsOf, createLogger, dependenciesOn, oauthSettings, type Ports } from '#runtime';
import { KEPT_CARDS, KeptCards } from '#ucp';
import { Deliveries, DELIVERIES, Endpoints, WEBHOOKS } from '#outbox';
import { type Cli, type JsonOption, type Line, printed, withStores } from '../command-line.js';
import { count } from '../audit/format.js';

interface Options extends JsonOption {
  readonly endMandates?: true;
}

/** `alcada end-access`: what `alcada restore` ends, for stores that other tools have put back. */
export const defineEndAccess = (endAccess: Command, { config, write }: Cli): void => {
  endAccess
    .option('--end-mandates', 'end every open mandate as well')
    .addHelpText(
      'after',
      `
For stores that were put back to an earlier moment by tools of their own, before the service starts on them: what
was revoked since would be in force again. alcada restore does it by itself. Travellers log in and let their agents
in anew; accounts, clients and the log stay. Interrupted, it is finished by running it again.`,
    )
    .action(async (options: Options) => {
      const settings = await config();
      const ended = await withStores(settings, (ports) => endRevived(ports, settings, options.endMandates ?? false));
      write(printed(options, ended, 'All access is ended.', endedLines(ended)));
    });
};

/** What was ended of what was in force at an earlier moment. */
export interface EndedRevived extends EndedAccess {
  /** Addresses to which events were sent. */
  readonly webhooks: number;
  /** By which platforms paid with cards of travellers. */
  readonly keptCards: number;
  readonly openMandates: number;
  /** Whether these were ended as well; else they can be spent, by agents that their travellers let in again. */
  readonly mandatesEnded: boolean;
}

/** Ends on stores of an earlier moment all access, and mandates where asked. Safe to repeat. */
export const endRevived = async (ports: Ports, config: Config, mandatesEnded: boolean): Promise<EndedRevived> => {
  const access = await endAccess(ports, oauthSettings(config));
  const { events, documents, clock, ids } = ports;
  for (const collection of [WEBHOOKS, DELIVERIES, KEPT_CARDS]) await documents.prepare(collection);
  const webhooks = await new Endpoints(documents, config.keyEncryptionKeys).forgetEvery();
  await new Deliveries(documents).forgetEvery();
  const keptCards = await new KeptCards(documents, config.keyEncryptionKeys).forgetEvery();
  const open = await everyOpenMandate({ aggregates: new Aggregates(events, clock, ids), clock }, events);
  if (mandatesEnded && open.length > 0) {
    const dependencies = await dependenciesOn(ports, config, createLogger('silent'));
    const checkouts = checkoutsOf(dependencies);
    const context: Context = { actor: SYSTEM, ...newCause(ids) };
    await revokeMandates(checkouts, open, context);
  }
  return { ...access, webhooks, keptCards, openMandates: open.length, mandatesEnded };
};

export const endedLines = (ended: EndedRevived): readonly Line[] => [
  ['grants', `${ended.grants} ended, with ${count(ended.refreshTokens, 'refresh token')}`],
  ['logins', `${ended.logins} of travellers and ${ended.auditorLogins} of auditors ended`],
  ['consents', `${ended.consents} forgotten`],
  ['webhooks', `${ended.webhooks} deleted`],
  ['kept cards', `${ended.keptCards} deleted, with the tokens that they pay for`],
  ['under way', `${count(ended.requests, 'authorization request')} and ${count(ended.codes, 'code')} ended`],
  ['keys', `${count(ended.signingKeys, 'signing key')} deleted; the next start makes a new one`],
  [
    'mandates',
    ended.mandatesEnded
      ? `${ended.openMandates} ended`
      : `${ended.openMandates} open, which stay; --end-mandates ends them`,
  ],
];
