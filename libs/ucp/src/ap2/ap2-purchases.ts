import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import type { RedeemedMandates } from '#events';
import { ERROR_CATALOGUE } from '#http';
import {
  Clock,
  type Context,
  DomainError,
  type Instant,
  millisecondsOf,
  type Money,
  type Party,
  PAYMENT_SCOPES,
} from '#kernel';
import { CreateMandate, mandates } from '#mandate';
import { MessageKeys } from '#oauth';
import { isCharged, type PlacedOrder, ReceiptProofs } from '#order';
import { NotSealed } from '#transparency';
import type { Asking } from '../asking.js';
import { agentOf, derivedId } from '../ids.js';
import { Admissions } from '../payment/admissions.js';
import type { Authority } from '../payment/payment-tokens.js';
import { UcpError } from '../ucp-error.js';
import { Ap2Error, mismatch, type Refused } from './ap2-error.js';
import { referenceOf, type Signer } from './mandate-chain.js';
import type { Merchant } from './mandate-content.js';
import { termsOf } from './mandate-terms.js';
import { authorizedBy, type PublishedKeys, type SignedCheckout } from './merchant-authorization.js';
import { checkoutReceipt, paymentReceipt } from './receipts.js';
import { type PublicKey, publicKey } from './sd-jwt.js';
import {
  type Authorized,
  type ClosedMandate,
  type OpenPermission,
  type PresentedMandates,
  type Purchase,
  verifyMandates,
} from './verify-mandates.js';
import { StatusLists } from './status-lists.js';
import { CARD, Wallets } from './wallets.js';

/** The scope of the protocol by which a platform buys, and what it is here. */
const BUYS = { scope: 'dev.ucp.shopping.order:manage', own: 'order:write' } as const;

/** How long (min) a mandate of ours lasts that stands for a closed one alone. */
const LASTS = 10;

/** What is bought: the checkout as it is answered now. */
export type Ap2Checkout = Purchase['checkout'] & { readonly id: string };

/** Who sells, as mandates name us (AP2 0.2, `merchant` of a checkout). */
export const merchantAt = (site: string): Merchant => ({ id: site, name: 'Alçada', website: site });

/** Takes mandates of AP2 for what authorizes a purchase, and signs checkouts and receipts (docs/ucp.md, AP2). */
@Injectable()
export class Ap2Purchases {
  constructor(
    private readonly wallets: Wallets,
    private readonly keys: MessageKeys,
    private readonly admissions: Admissions,
    private readonly proofs: ReceiptProofs,
    private readonly statuses: StatusLists,
    private readonly aggregates: Aggregates,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  /** What a checkout's answer has in `ap2`, so that mandates can be made of it. @throws Unavailable */
  async authorizationOf(checkout: SignedCheckout) {
    return authorizedBy(checkout, await this.keys.current());
  }

  /**
   * By what a purchase is paid that these mandates authorize: by a mandate of ours, which stands for the open one of the payment, or
   * for the closed one alone, and by the card that it names. @throws Ap2Error with its receipts; UcpError, DomainError, Unavailable
   */
  async authorityOf(
    asking: Asking,
    presented: PresentedMandates,
    checkout: Ap2Checkout,
    total: Money,
    context: (party: Party) => Context,
  ): Promise<Authority & { readonly ap2: RedeemedMandates }> {
    try {
      const authorized = await this.verified(asking, presented, checkout, total);
      const { signer, payment } = authorized;
      const { id, type } = payment.instrument;
      const card = type === CARD ? await this.wallets.cardOf(signer.holder, id) : null;
      if (!card) throw mismatch('O cartão que ele indica não está na carteira de quem o assinou.');
      const party = { holder: signer.holder, clientId: agentOf(asking.platform) };
      const mandateId = await this.mandateFor(authorized, party, asking.platform.profile, total, context(party));
      const { instrument: _, ...closed } = payment;
      return { party, mandateId, card, ap2: { checkout: authorized.checkout, payment: closed } };
    } catch (error) {
      if (error instanceof Ap2Error)
        error.receipts = await this.refusalsOf(error.refused, presented, asking, checkout.id);
      throw error;
    }
  }

  private async verified(asking: Asking, presented: PresentedMandates, checkout: Ap2Checkout, total: Money) {
    const { site } = asking.urls;
    const hasPlatformKey = asking.platform.keys.some((key) => publicKey.safeParse(key).success);
    // Whom a purchase is attributed to, only a proof says; and strangers are told nothing of anybody's keys.
    if (hasPlatformKey && asking.proof === null) throw unsigned();
    const purchase = { checkout, total, us: merchantAt(site), ourKeys: await this.ourKeys() };
    return verifyMandates(presented, purchase, {
      hasPlatformKey,
      signerOf: (kid) => this.signerOf(asking, kid),
      audiences: [site],
      nonce: checkout.id,
      now: new Date(millisecondsOf(this.clock.now())),
    });
  }

  private async ourKeys(): Promise<PublishedKeys> {
    return new Map((await this.keys.all()).map(({ kid, jwk }): [string, PublicKey] => [kid, publicKey.parse(jwk)]));
  }

  /** A platform speaks by its key for who linked it and is named by its token; travellers by keys of their own. */
  private async signerOf({ platform, caller }: Asking, kid: string): Promise<Signer | null> {
    const { data: key } = publicKey.safeParse(platform.keys.find((one) => one.kid === kid));
    if (key && caller && !caller.scopes.includes(BUYS.own)) {
      const challenge = `error="insufficient_scope", scope="${BUYS.scope}"`;
      throw new UcpError(403, 'insufficient_scope', 'O token não permite comprar.', { challenge });
    }
    if (key) return caller && { holder: caller.holder, platform: platform.profile, key };
    const signer = await this.wallets.signerOf(kid);
    return caller && signer && signer.holder !== caller.holder ? null : signer;
  }

  /** The mandate of ours, opened where this is the first time that it is needed. @throws Ap2Error, DomainError */
  private async mandateFor(
    { signer, open, payment }: Authorized,
    party: Party,
    profile: string,
    total: Money,
    context: Context,
  ): Promise<string> {
    const { mandateId, mandate } = await this.mandateOf(open?.id ?? payment.redemption, party);
    if (mandate.kind === 'granted') return mandateId;
    const { at, ...granted } = open ? ofOpen(open, new Date(millisecondsOf(this.clock.now()))) : ofOne(total);
    const isTravellers = signer.platform === null;
    // What such a platform spends, its traveller signs each time, or is asked.
    if (isTravellers) await this.admissions.letIn(party, profile, { cap: null, asksFirst: true }, context);
    const terms = { scope: PAYMENT_SCOPES, ...granted };
    const grant = { by: isTravellers ? 'traveller' : 'agent', ...(at && { at }) } as const;
    await this.commands.execute(new CreateMandate(mandateId, party, terms, context, grant));
    return mandateId;
  }

  /**
   * By whichever platform it comes, it is one and the same. One that was given up is never created (docs/consistency.md, rule 19), and
   * the next takes its place. @throws DomainError `mandate_client_mismatch` where it came by another platform first
   */
  private async mandateOf(what: string, { holder, clientId }: Party) {
    for (let mandateId = derivedId(`ap2 mandate ${what} ${holder}`); ; mandateId = derivedId(`after ${mandateId}`)) {
      const { state: mandate } = await this.aggregates.load(mandates, mandateId);
      if (mandate.kind === 'granted' && mandate.clientId !== clientId) throw new DomainError('mandate_client_mismatch');
      if (mandate.kind !== 'abandoned') return { mandateId, mandate };
    }
  }

  /** What merchant and processor say of an order that mandates of AP2 authorized: both sign by our keys. null: it goes on. */
  async receiptsOf(order: PlacedOrder, mandates: RedeemedMandates, { urls }: Asking): Promise<object | null> {
    const { orderId, holder, mandateId } = order.checkout;
    const key = await this.keys.current();
    const about = ({ reference }: ClosedMandate, at: Instant) => ({
      ...{ iss: urls.site, reference, now: new Date(millisecondsOf(at)) },
    });
    const mandate = {
      id: mandateId,
      status: await this.statuses.claimOf({ kind: 'mandate', subject: mandateId }, urls.site),
    };
    if (isCharged(order)) {
      const { paidAt, payment } = order;
      const log = await this.proofs.of(orderId, holder).catch(unlessNotSealed);
      const tokenStatus = await this.statuses.claimOf({ kind: 'order', subject: orderId }, urls.site);
      const ofOrder = (closed: ClosedMandate) => ({ ...about(closed, paidAt), log, tokenStatus });
      return {
        mandate,
        checkout_receipt: await checkoutReceipt(ofOrder(mandates.checkout), { orderId }, key),
        payment_receipt: await paymentReceipt(
          ofOrder(mandates.payment),
          payment.id,
          { confirmationId: payment.id },
          key,
        ),
      };
    }
    if (order.kind !== 'failed') return null;
    const { failure: code, failedAt } = order;
    const refused = { code, description: ERROR_CATALOGUE[code].message };
    return {
      mandate,
      checkout_receipt: await checkoutReceipt(about(mandates.checkout, failedAt), refused, key),
      payment_receipt: await paymentReceipt(about(mandates.payment, failedAt), orderId, refused, key),
    };
  }

  /** What is said of mandates that were refused, as far as it can be said of which. null: of none. */
  async refusalsOf(
    refused: Refused,
    presented: PresentedMandates,
    { urls }: Asking,
    id: string,
  ): Promise<object | null> {
    const [key, now] = [await this.keys.current(), new Date(millisecondsOf(this.clock.now()))];
    const of = (text: string | undefined) => {
      const reference = text === undefined ? null : referenceOf(text);
      return reference === null ? null : { iss: urls.site, reference, now };
    };
    const [checkout, payment] = [of(presented.checkout), of(presented.payment)];
    if (!checkout && !payment) return null;
    return {
      ...(checkout && { checkout_receipt: await checkoutReceipt(checkout, refused, key) }),
      ...(payment && { payment_receipt: await paymentReceipt(payment, id, refused, key) }),
    };
  }
}

const unsigned = (): UcpError =>
  new UcpError(401, 'signature_missing', 'Mandatos AP2 só valem de uma plataforma que assina a requisição.');

const unlessNotSealed = (error: unknown): undefined => {
  if (!(error instanceof NotSealed)) throw error;
};

type OurTerms = Pick<CreateMandate['terms'], 'limit' | 'minutes' | 'constraints'> & { readonly at?: Instant };

/** Whole minutes up to its end, the same for everybody. */
const ofOpen = (open: OpenPermission, now: Date): OurTerms => {
  const { expiresAt, ...terms } = termsOf(open, now);
  const minutes = Math.ceil((expiresAt.getTime() - now.getTime()) / 60_000);
  return { ...terms, minutes, at: new Date(expiresAt.getTime() - minutes * 60_000).toISOString() };
};

const ofOne = (limit: Money): OurTerms => ({ limit, minutes: LASTS, constraints: { maxOrders: 1 } });
