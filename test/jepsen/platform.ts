import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Documents } from '#documents';
import { Clients } from '#oauth';
import { agentOf } from '../../libs/ucp/src/testing/index.js';
import { tokensFor } from '../support/agent.js';
import { loggedIn } from '../support/challenge.js';
import type { Traveller } from '../support/consent.js';
import { GOOD_CARD } from '../support/purchase.js';
import { type Checkout, KNOWN_PLATFORM, paidBy } from '../support/ucp.js';
import { Agent, type Answered, PAUSE } from './agents.js';
import type { Outcome } from './history.js';

/** The platform, as an agent that its travellers linked. */
const CLIENT = { clientId: agentOf({ profile: KNOWN_PLATFORM }), secret: 'a-secret-of-the-platform' } as const;

/** Lets the platform have a secret: who nobody registered would prove itself by https alone. */
export const registerPlatform = async (documents: Documents): Promise<void> => {
  const clients = new Clients(documents);
  await clients.prepare();
  const one = { name: 'Plataforma', pilot: false, registration: 'metadata' } as const;
  await clients.ensure({ ...CLIENT, ...one, redirectUris: ['http://127.0.0.1:8765/callback'] });
};

/** The platform's access token of a traveller who lets it spend as much as it likes by mandates of its own. */
export const platformToken = async (origin: string, traveller: Traveller): Promise<string> => {
  const fields = { cap: '9000000', mode: 'agent' };
  return (await tokensFor(origin, { traveller, client: CLIENT, fields })).access_token;
};

/** What the platform pays with from one mandate: its traveller makes it on their page; null: the page says why not. */
const paymentToken = async (origin: string, traveller: Traveller, mandate: string): Promise<string | null> => {
  const { browser, page } = await loggedIn(`${origin}/conta/agentes/${CLIENT.clientId}/pagamento`, traveller);
  const { html } = await browser.submit(page, { mandate, ...GOOD_CARD });
  return /alct_[A-Za-z0-9_-]{43}/.exec(html)?.[0] ?? null;
};

/** What of a receipt says by which mandate it was paid. */
interface Paid {
  readonly payment: { readonly mandateId: string };
}

/** Of several answers about one session, what is known of its money. */
const CERTAINTY: readonly Outcome[] = ['paid', 'unknown', 'over the limit', 'revoked', 'refused'];

/** What an answer to a completion tells of its money. */
const completionOf = ({ status, body }: Answered<Checkout>): Outcome => {
  if (status === null || status >= 500) return 'unknown';
  if (body.status === 'completed') return 'paid';
  // Another completion of it may be under way, or have ended.
  if (status === 409 || body.status === 'complete_in_progress') return 'none';
  const [refusal] = body.messages ?? [];
  if (refusal?.code === 'mandate_limit_exceeded') return 'over the limit';
  return refusal?.code === 'mandate_revoked' ? 'revoked' : 'refused';
};

/** A platform of others with a traveller's token: it has mandates as any agent, and buys by checkout sessions (UCP). */
export class PlatformAgent extends Agent {
  /** Buys a checkout session, with a key or without, now and then twice at once, or while its traveller buys it on its page, until the answer is final. */
  protected override async purchase(mandate: string): Promise<void> {
    const { household, sightings, world } = this;
    const pays = await this.paysWith(mandate);
    if (pays === null) return;
    const quantity = 1 + Math.floor(world.random() * 3);
    const { flightId } = world.flights[Math.floor(world.random() * world.flights.length)] ?? {};
    const line_items = [{ item: { id: `${flightId}:LEVE` }, quantity }];
    const session = await this.insist<Checkout>('/ucp/v1/checkout-sessions', { line_items });
    if (session?.id === undefined || session.totals === undefined) return;
    const [id, amount] = [session.id, session.totals.at(-1)?.amount ?? 0];
    const path = `/ucp/v1/checkout-sessions/${id}`;
    const key = world.random() < 0.6 ? randomUUID() : undefined;
    const isTwice = world.random() < 0.3;
    const onPage = world.random() < 0.3 ? (await this.openPage(id))?.() : undefined;
    let other: string | null = null;
    const once = async (by: string | undefined) => {
      const answer = await this.send<Checkout>('POST', `${path}/complete`, paidBy(pays), by);
      return answer.body.code === 'checkout_completed' ? this.send<Checkout>('GET', path) : answer;
    };
    // What is refused to a mandate may be paid on the page: that of its booking nothing is captured is judged of the others.
    const purchase = { mandate, intent: id, booking: onPage ? '' : id, amount };
    const order = await this.untilFinal(purchase, async () => {
      const answers = await Promise.all(isTwice ? [once(key), once(randomUUID())] : [once(key)]);
      const outcomes = answers.map(completionOf);
      const outcome = CERTAINTY.find((one) => outcomes.includes(one)) ?? 'none';
      const { status = null, body = {} } = answers[outcomes.indexOf(outcome)] ?? {};
      const answered = { status, error: body.messages?.[0]?.code ?? body.code, outcome, id: body.order?.id };
      if (onPage === undefined || outcome !== 'paid') return answered;
      const payer = await this.mandateOf(answered.id);
      if (payer === mandate) return answered;
      if (payer === undefined) return { ...answered, outcome: 'unknown' };
      other = answered.id ?? null;
      return { ...answered, error: 'paid_on_page', outcome: 'refused' };
    });
    await onPage;
    const paid = order ?? other;
    if (paid === null) return;
    household.paid.push(paid);
    if (order === null) sightings.pages += 1;
    else sightings.sessions += 1;
    await this.readSession(path, { order: paid, amount });
  }

  /** Its page, which the traveller has open: who calls it buys there, by a mandate of its own, or is too late. null: it did not come. */
  private async openPage(id: string): Promise<(() => Promise<unknown>) | null> {
    const opened = await loggedIn(`${this.origin()}/comprar/${id}`, this.household.traveller).catch(() => null);
    if (!opened?.page.html.includes('name="decision"')) return null;
    const form = { ...GOOD_CARD, decision: 'approve' };
    return () => opened.browser.submit(opened.page, form).catch(() => null);
  }

  /** The mandate that an order was charged to; undefined: nobody waits for the answer any more. */
  private async mandateOf(order: string | undefined): Promise<string | undefined> {
    while (!this.world.isGivenUp) {
      const { status, body } = await this.send<Paid>('GET', `/orders/${order}/receipt`);
      if (status === 200) return body.payment?.mandateId;
      await sleep(PAUSE);
    }
  }

  /** A session that was bought shows its order and what that charged, in every process. */
  private async readSession(path: string, { order, amount }: { readonly order: string; readonly amount: number }) {
    while (!this.world.isGivenUp) {
      const { status, body } = await this.send<Checkout>('GET', path);
      if (status === 200) {
        this.sightings.receipts += 1;
        const isShown =
          body.status === 'completed' && body.order?.id === order && body.totals?.at(-1)?.amount === amount;
        if (!isShown) this.sightings.missing.push(order);
        return;
      }
      await sleep(PAUSE);
    }
  }

  /** What it pays with by a mandate that its household shares; null: its traveller could not make it now. */
  private async paysWith(mandate: string): Promise<string | null> {
    const { household } = this;
    const { pays } = household;
    if (!pays.has(mandate)) {
      const token = await paymentToken(this.origin(), household.traveller, mandate).catch(() => null);
      if (token !== null) pays.set(mandate, token);
    }
    return pays.get(mandate) ?? null;
  }
}
