import { Module } from '@nestjs/common';
import { Checkouts } from './checkouts.js';
import { CheckoutRecovery } from './recovery/checkout-recovery.js';
import { LeftOpen } from './recovery/left-open.js';
import { Runner } from './process-lease.js';

/** The checkout saga, and the worker that finishes what was left open: for every process, with or without HTTP. */
const PROVIDERS = [Checkouts, CheckoutRecovery, LeftOpen, Runner];

@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class CheckoutModule {}
