import { Injectable } from '@nestjs/common';
import { type Card, checkCard } from '#checkout';
import { Aggregates } from '#event-store';
import { CHARGE_SCOPES, Clock, covers, DomainError, type Party } from '#kernel';
import { delegations, type GrantedMandate, loadMandate, statusOf } from '#mandate';
import { Clients } from '#oauth';
import { AgentTokens, type TokensOfAgent } from '#portal';
import type { Asking } from '../asking.js';
import { agentOf } from '../ids.js';
import { UcpSettings } from '../ucp-settings.js';
import type { Authority } from './payment-tokens.js';
import { TravellerTokens } from './traveller-tokens.js';

/** Whether a mandate can still be charged once, now or after a pause, without mandates of AP2. */
const isInForce = (mandate: GrantedMandate, now: string): boolean => {
  const status = statusOf(mandate, now);
  return (status === 'valid' || status === 'paused') && covers(mandate.scope, CHARGE_SCOPES);
};

/** Tokens that travellers make for platforms, each of which ends with its mandate and with its agent. */
@Injectable()
export class MadeTokens extends AgentTokens {
  constructor(
    private readonly tokens: TravellerTokens,
    private readonly settings: UcpSettings,
    private readonly clients: Clients,
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async arePossible(clientId: string): Promise<boolean> {
    const { namespace, traveller } = this.settings;
    return (namespace ?? traveller) !== null && (await this.clients.find(clientId))?.registration === 'metadata';
  }

  override async of(party: Party): Promise<TokensOfAgent | null> {
    const { state } = await this.aggregates.load(delegations, party);
    if (state.status === 'unknown') return null;
    const mandates = await this.mandatesOf(party);
    const isOpen = new Set(mandates.map(({ mandateId }) => mandateId));
    const kept = await this.tokens.of(party);
    const tokens = kept.filter(({ body }) => isOpen.has(body.mandateId)).map(({ id, body }) => ({ id, ...body }));
    return { mandates, tokens };
  }

  override async make(party: Party, mandateId: string, card: Card): Promise<string> {
    const at = this.clock.now();
    checkCard(card, at);
    const mandates = await this.mandatesOf(party);
    const mandate = mandates.find((one) => one.mandateId === mandateId);
    if (!mandate) throw new DomainError('invalid_mandate');
    // Those of mandates that ended pay for nothing, and nobody sees them any more.
    for (const { id, body } of await this.tokens.of(party))
      if (!mandates.some((one) => one.mandateId === body.mandateId)) await this.tokens.remove(party, id);
    return this.tokens.make({ party, mandateId, card, at, until: mandate.expiresAt });
  }

  override remove(party: Party, id: string): Promise<void> {
    return this.tokens.remove(party, id);
  }

  /** What a token stands for, of the platform that it was made for; null: for nothing, whatever the reason. @throws SealBroken */
  async authorityOf({ platform, caller }: Asking, token: string): Promise<Authority | null> {
    const kept = await this.tokens.found(token);
    if (!kept) return null;
    const { holder, clientId, mandateId } = kept.body;
    if (clientId !== agentOf(platform) || (caller && caller.holder !== holder)) return null;
    const party = { holder, clientId };
    if (!(await this.isOpen(party, mandateId))) {
      await this.tokens.remove(party, kept.id);
      return null;
    }
    const card = await this.tokens.use(kept, this.clock.now());
    return card && { party, mandateId, card };
  }

  private async isOpen(party: Party, mandateId: string): Promise<boolean> {
    const { state } = await this.aggregates.load(delegations, party);
    return state.status === 'authorized' && (await this.inForce(party, [mandateId])).length > 0;
  }

  private async mandatesOf(party: Party): Promise<readonly GrantedMandate[]> {
    const { state } = await this.aggregates.load(delegations, party);
    if (state.status !== 'authorized') return [];
    return this.inForce(party, Object.keys(state.openMandates));
  }

  private async inForce({ holder, clientId }: Party, ids: readonly string[]): Promise<readonly GrantedMandate[]> {
    const now = this.clock.now();
    const found = await Promise.all(
      ids.map((id) =>
        loadMandate(this.aggregates, id, holder).catch((error: unknown) => {
          if (error instanceof DomainError) return null; // opened, and never created
          throw error;
        }),
      ),
    );
    return found.filter((one) => one !== null).filter((one) => one.clientId === clientId && isInForce(one, now));
  }
}
