import type { Card } from '#checkout';
import type { Instant } from '#kernel';

/** A card as its traveller sees it afterwards. */
export interface WalletCard {
  /** By which a payment mandate names it; and, where it has a key, the `kid` of what that signs. */
  readonly id: string;
  readonly last4: string;
  /** Whether a key of the traveller's signs mandates for it. */
  readonly signs: boolean;
  readonly createdAt: Instant;
  readonly lastUsedAt?: Instant | undefined;
}

/** What became of a card with a key. `known_key`: somebody has registered it; `no_key`: it is no public key that mandates are signed with. */
export type AddedToWallet = 'added' | 'known_key' | 'no_key';

/** Cards for mandates of AP2, and the keys that sign those (docs/ucp.md, AP2); who verifies them is `#ucp`, which stands above. */
export abstract class TravellerWallet {
  /** Whether mandates of AP2 are taken here at all. */
  abstract readonly isThere: boolean;

  /** The newest first. */
  abstract of(holder: string): Promise<readonly WalletCard[]>;

  /** @param jwk a public key (RFC 7517); null: none. @throws DomainError `payment_card_…`, `rate_limited` */
  abstract add(holder: string, card: Card, jwk: string | null): Promise<AddedToWallet>;

  /** Removes a card of this traveller's, at once; what its key signed is worth nothing from then on. */
  abstract remove(holder: string, id: string): Promise<void>;
}
