import { createPublicKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { calculateJwkThumbprint } from 'jose';
import { type Card, checkCard } from '#checkout';
import { Clock, Ids } from '#kernel';
import { type AddedToWallet, TravellerWallet, type WalletCard } from '#portal';
import { KeptCards } from '../payment/kept-cards.js';
import { UcpSettings } from '../ucp-settings.js';
import type { Signer } from './mandate-chain.js';
import { type PublicKey, publicKey } from './sd-jwt.js';

/** How many cards a traveller has. */
const MOST = 20;

/** The kind of instrument that such a card is to a payment mandate. */
export const CARD = 'card';

/** Cards that travellers keep for mandates of AP2. The id of one is the thumbprint of its key (RFC 7638), where it has one. */
@Injectable()
export class Wallets extends TravellerWallet {
  constructor(
    private readonly cards: KeptCards,
    private readonly settings: UcpSettings,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {
    super();
  }

  override get isThere(): boolean {
    return this.settings.ap2;
  }

  override async of(holder: string): Promise<readonly WalletCard[]> {
    return (await this.keptOf(holder)).map(({ id, body: { last4, createdAt, lastUsedAt, key } }) => ({
      ...{ id, last4, createdAt, lastUsedAt },
      signs: key !== undefined,
    }));
  }

  override async add(holder: string, card: Card, jwk: string | null): Promise<AddedToWallet> {
    const at = this.clock.now();
    checkCard(card, at);
    const key = jwk === null ? undefined : keyIn(jwk);
    if (key === null) return 'no_key';
    const id = key ? await calculateJwkThumbprint(key) : this.ids.next();
    const purpose = { holder, wallet: holder, createdAt: at, ...(key && { key }) };
    const isNew = await this.cards.keep(id, card, purpose, { most: MOST, taken: await this.keptOf(holder) });
    return isNew ? 'added' : 'known_key';
  }

  override async remove(holder: string, id: string): Promise<void> {
    const found = await this.cards.stored.get(id);
    if (found?.body.wallet === holder) await this.cards.stored.delete(id);
  }

  private keptOf(holder: string) {
    return this.cards.stored.find({
      where: [{ field: 'wallet', equals: holder }],
      sort: { field: 'createdAt', direction: 'descending' },
      limit: MOST,
    });
  }

  /** The traveller with a key of this thumbprint; null: none. */
  async signerOf(kid: string): Promise<Signer | null> {
    const { wallet, key } = (await this.cards.stored.get(kid))?.body ?? {};
    return wallet !== undefined && key ? { holder: wallet, platform: null, key } : null;
  }

  /** A card of this traveller's by its id; null: they have none of it. @throws SealBroken */
  async cardOf(holder: string, id: string): Promise<Card | null> {
    const found = await this.cards.stored.get(id);
    return found?.body.wallet === holder ? this.cards.use(found, this.clock.now()) : null;
  }
}

/** The public key in a JWK; null: it is none, or one that is secret. */
const keyIn = (jwk: string): PublicKey | null => {
  try {
    const { kty, crv, x, y } = publicKey.parse(JSON.parse(jwk));
    createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' }); // a point of its curve
    return { kty, crv, x, y };
  } catch {
    return null;
  }
};
