import { Module } from '@nestjs/common';
import { Checkouts } from './checkouts.js';
import { CheckoutRecovery } from './recovery/checkout-recovery.js';
import { Runner } from './process-lease.js';

/** The checkout saga, and the worker that finishes what was left open: for every process, with or without HTTP. */
@Module({ providers: [Checkouts, CheckoutRecovery, Runner], exports: [Checkouts, CheckoutRecovery, Runner] })
export class CheckoutModule {}
