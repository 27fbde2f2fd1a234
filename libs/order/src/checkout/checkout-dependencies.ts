import { Injectable } from '@nestjs/common';
import { Collection, type CollectionSpec, Documents } from '#documents';
import { Aggregates } from '#event-store';
import { Clock } from '#kernel';
import { PaymentProcessor } from '#payment';
import { z } from 'zod';
import { TicketStock } from './ticket-stock.js';

/** Waiting times (ms) and limits of the order use cases; a value, the class is its own token. */
export abstract class OrderSettings {
  /** How long a checkout may hold seats and reserve money (docs/consistency.md, rule 6). */
  abstract readonly hold: number;
  /** How long the processor may take to capture (rule 9). */
  abstract readonly charge: number;
  /** How long the lease of the recovery worker lasts, and how often it looks for work (rule 8). */
  abstract readonly recoveryLease: number;
  abstract readonly recoveryPause: number;
  /** Refused cards in ten minutes for a holder and client; 0 = unlimited. */
  abstract readonly refusedCards: number;
  /** Challenges of one holder that wait at once; 0 = unlimited. */
  abstract readonly openChallenges: number;
}

/** Buyers' names and documents by order id, apart from the log, so that they can be erased (docs/decisions.md, Streams and events). */
export const BUYERS: CollectionSpec = { name: 'buyers', indexes: [] };

const buyerDocument = z.object({ name: z.string().optional(), document: z.string().optional() }).readonly();

/** Who flies or pays, as the agent says. */
export type Buyer = z.infer<typeof buyerDocument>;

/** The places of each holder for challenges that wait: `<holder>.<place>`. */
export const CHALLENGE_SLOTS: CollectionSpec = { name: 'challenge-slots', indexes: [] };

const slotDocument = z.object({ orderId: z.string() }).readonly();

/** What the functions of the checkout work with: the saga itself, challenges, and the end of mandates. */
@Injectable()
export class CheckoutDependencies {
  readonly buyers: Collection<Buyer>;
  readonly challengeSlots: Collection<z.infer<typeof slotDocument>>;

  constructor(
    readonly aggregates: Aggregates,
    readonly processor: PaymentProcessor,
    readonly tickets: TicketStock,
    readonly clock: Clock,
    readonly settings: OrderSettings,
    documents: Documents,
  ) {
    this.buyers = new Collection(documents, BUYERS, buyerDocument);
    this.challengeSlots = new Collection(documents, CHALLENGE_SLOTS, slotDocument);
  }
}
