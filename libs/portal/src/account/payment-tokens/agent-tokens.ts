import type { Card } from '#checkout';
import type { Instant, Party } from '#kernel';
import type { GrantedMandate } from '#mandate';

/** A token as its traveller sees it afterwards. */
export interface ShownToken {
  /** Names it, and pays for nothing. */
  readonly id: string;
  readonly mandateId: string;
  readonly last4: string;
  readonly createdAt: Instant;
  readonly lastUsedAt?: Instant | undefined;
}

export interface TokensOfAgent {
  /** Those that a token can be made for. */
  readonly mandates: readonly GrantedMandate[];
  readonly tokens: readonly ShownToken[];
}

/** Tokens by which platforms pay (docs/ucp.md, Paying); the platforms themselves are `#ucp`, which stands above. */
export abstract class AgentTokens {
  /** Whether this agent can be a platform that takes them. */
  abstract arePossible(clientId: string): Promise<boolean>;

  /** null: this traveller never let it in. */
  abstract of(party: Party): Promise<TokensOfAgent | null>;

  /** A new token, which is shown now and never again. @throws DomainError `payment_card_…`, `invalid_mandate`, `rate_limited` */
  abstract make(party: Party, mandateId: string, card: Card): Promise<string>;

  /** Removes a token of this agent, at once; none is gone already. */
  abstract remove(party: Party, id: string): Promise<void>;
}
