import type { Card } from '#checkout';
import type { RedeemedMandates } from '#events';
import type { BaseUrls } from '#http';
import type { Money, Party } from '#kernel';
import type { Asking } from '../asking.js';
import type { Message } from '../envelope.js';
import type { Instrument } from '../checkout/session-requests.js';

/** By what a completion may charge. */
export interface Authority {
  readonly party: Party;
  readonly mandateId: string;
  readonly card: Card;
  /** false: what the platform says of the buyer is not known to be this traveller's, and is not kept with what they buy. */
  readonly takesBuyer?: false;
  /** The mandates of AP2 that authorize it. */
  readonly ap2?: RedeemedMandates;
}

/** The handlers of a business by their names, as its profile and its checkouts list them (UCP, Payment Handlers). */
export type Handlers = Readonly<Record<string, readonly object[]>>;

/** The payment handler: tokens, each of which stands for one mandate, one card and one platform. */
export abstract class PaymentTokens {
  abstract handlers(urls: BaseUrls): Handlers;

  /** What an instrument's token stands for; a message where it is worth nothing here. `amount`: what is to be charged. */
  abstract authorityOf(asking: Asking, instrument: Instrument, amount: Money): Promise<Authority | Message>;
}
