import { Module } from '@nestjs/common';
import { ChallengeSlots } from './challenge-slots.js';
import { CheckoutRecovery } from './checkout-recovery.js';
import { MandateEnding } from './mandate-ending.js';
import { Settlement } from './settlement.js';
import { TicketStock } from './ticket-stock.js';

const EXPORTED = [ChallengeSlots, CheckoutRecovery, MandateEnding, Settlement];

/** How a checkout ends, and the worker that ends what was left open: for every process, with or without HTTP. */
@Module({ providers: [TicketStock, ...EXPORTED], exports: EXPORTED })
export class CheckoutModule {}
