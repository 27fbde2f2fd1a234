import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Card } from '#checkout';
import { Accounts } from '#identity';
import { CHARGE_SCOPES, Clock, type Context, type Currency, money, newCause, type Party, Ids } from '#kernel';
import { CreateMandate } from '#mandate';
import { agentOf, derivedId } from '../ids.js';
import type { Asking } from '../asking.js';
import { UcpSettings } from '../ucp-settings.js';
import { Admissions } from './admissions.js';
import type { Authority } from './payment-tokens.js';

const card = (cardNumber: string): Card => ({ cardNumber, expiry: '12/49', cvc: '123' });

/** Tokens that everybody knows, and the test cards behind them (docs/decisions.md, Test processor). */
const CARDS: ReadonlyMap<string, Card> = new Map([
  ['alcada_test_accepted', card('4242424242424242')],
  ['alcada_test_declined', card('4000000000000002')],
]);

/** What such a token may spend in a month, in the smallest unit of each currency. */
const CEILING = 100_000_000;
/** Longer than a month (min), so that the mandate of one lasts it out. */
const VALID = 32 * 24 * 60;

/** Tokens of a traveller of a test installation, whose mandates open by themselves, one a platform, currency and month. */
@Injectable()
export class TestTokens {
  constructor(
    private readonly settings: UcpSettings,
    private readonly accounts: Accounts,
    private readonly admissions: Admissions,
    private readonly commands: CommandBus,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** By what a token charges; null: it is none of these, or there are none here. */
  async authorityOf({ platform, caller }: Asking, token: string, currency: Currency): Promise<Authority | null> {
    const known = CARDS.get(token);
    const { traveller } = this.settings;
    const holder = known && traveller && (await this.accounts.holderOf(traveller.email));
    if (!known || !holder || (caller && caller.holder !== holder)) return null;
    const party = { holder, clientId: agentOf(platform) };
    const context: Context = { actor: party, ...newCause(this.ids) };
    await this.admissions.letIn(party, platform.profile, { cap: null, asksFirst: false }, context);
    return { party, mandateId: await this.mandateOf(party, currency, context), card: known };
  }

  /** Who is first to use a token and who comes at once, or after one who broke off, open the same mandate by the same words. */
  private async mandateOf(party: Party, currency: Currency, context: Context): Promise<string> {
    const month = this.clock.now().slice(0, 7);
    const mandateId = derivedId(`${party.holder} ${party.clientId} ${currency} ${month}`);
    const terms = { scope: CHARGE_SCOPES, limit: money(CEILING, currency), minutes: VALID };
    // Who nobody registered asks for each mandate: this one is its traveller's own.
    const granted = { by: 'traveller', at: `${month}-01T00:00:00.000Z` } as const;
    await this.commands.execute(new CreateMandate(mandateId, party, terms, context, granted));
    return mandateId;
  }
}
