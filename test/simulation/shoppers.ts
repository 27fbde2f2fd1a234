import { DecideChallenge } from '#order';
import { loadBooking } from '#booking';
import { DomainError, newCause, systemContext } from '#kernel';
import { SessionDecisions, type SessionView, UcpError } from '../../libs/ucp/src/testing/index.js';
import type { Answered } from './answered.js';
import type { Shopped } from './end.js';
import type { Insisting } from './insisting.js';
import type { SimulatedProcess } from './processes.js';
import type { Situation } from './reached.js';
import { platformAt, shopperOf } from './shop.js';
import type { Simulation } from './simulation.js';
import type { SimulatedStores } from './stores.js';
import type { Shopping } from './shopping.js';
import { AGENTS, paymentBy, URLS } from './world.js';

type Of<What extends Shopping['what']> = Extract<Shopping, { what: What }>;

/** What a request came to: what it shows of the session, null where it shows none, or an error. */
type Reply = { readonly shown: Shopped['shown'] } | { readonly error: unknown };

interface Shops {
  readonly simulation: Simulation;
  readonly stores: SimulatedStores;
  readonly answered: Answered;
  readonly heard: (error: unknown) => void;
  readonly insisting: Insisting;
}

/** Platforms and travellers with checkout sessions. Keeps what each was shown, to be compared with the end. */
export class Shoppers {
  private writes = 0;

  constructor(private readonly shops: Shops) {}

  async shop(agent: number, on: number, wanted: Shopping): Promise<void> {
    const { insisting, stores } = this.shops;
    const { holder } = AGENTS[agent] ?? AGENTS[0];
    let { stands } = wanted;
    this.writes += 1;
    const key = 'isKeyed' in wanted && wanted.isKeyed ? `write-${this.writes}` : null;
    const id = stores.shop.sessions[wanted.session] ?? '';
    const isRepeated = wanted.what !== 'look';
    await insisting.send<Reply>(
      on,
      isRepeated,
      (process) => {
        if (stands) process.actor.standsAt = { calls: stands.calls, milliseconds: stands.seconds * 1_000 };
        stands = undefined;
        return this.answer(process, id, wanted, { holder, key });
      },
      isFinal,
    );
  }

  /** What a process answers, kept as it was said. */
  private async answer(
    process: SimulatedProcess,
    sessionId: string,
    wanted: Shopping,
    by: { readonly holder: string; readonly key: string | null },
  ): Promise<Reply> {
    const { simulation, answered, heard } = this.shops;
    const asked = simulation.scheduler.length;
    try {
      const shown = await this.carriedOut(process, sessionId, wanted, by);
      simulation.tell(() => `${by.holder}: session ${sessionId} is ${JSON.stringify(shown)}`);
      if (shown) answered.keep(shopperOf(by.holder), asked, null, { did: 'shop', what: wanted.what, sessionId, shown });
      if (shown?.status === 'completed' && wanted.what === 'complete')
        this.reach(by.key === null ? 'a session was bought by its platform' : 'a session was bought under a key');
      if (shown?.status === 'completed' && wanted.what === 'press') this.reach('a session was bought on its page');
      return { shown };
    } catch (error) {
      simulation.tell(() => `${by.holder}: ${String(error)}`);
      if (error instanceof UcpError && REFUSALS.includes(error.code)) {
        simulation.count(`refusal: ${error.code}`);
        if (error.code === 'checkout_in_progress') this.reach('a session was kept from another by its purchase');
      } else heard(error);
      return { error };
    }
  }

  private async carriedOut(
    process: SimulatedProcess,
    id: string,
    wanted: Shopping,
    { holder, key }: { readonly holder: string; readonly key: string | null },
  ): Promise<Shopped['shown']> {
    const platform = platformAt(process.use);
    switch (wanted.what) {
      case 'complete':
        return shownIn(await platform.complete(id, wanted.card, key));
      case 'change':
        return shownIn(await platform.change(id, wanted.session, wanted.seats));
      case 'cancel':
        return shownIn(await platform.cancel(id));
      case 'look':
        return shownIn(await platform.get(id));
      case 'press':
        return this.press(process, id, holder, wanted);
      case 'refuse':
        await process.use.the(SessionDecisions).refuse(id, onlookerOf(holder));
        return null;
      case 'decide':
        await this.decide(process, id, holder, wanted);
        return null;
    }
  }

  /** Opens the page, and buys what it shows. */
  private async press({ use }: SimulatedProcess, id: string, holder: string, { card: by }: Of<'press'>) {
    const pages = use.the(SessionDecisions);
    const who = onlookerOf(holder);
    const { standing } = (await pages.find(id, who)) ?? {};
    if (standing?.kind !== 'open' && standing?.kind !== 'approved') return null;
    const { shown } = standing.offer;
    const origin = { urls: URLS, cause: newCause(this.shops.stores.ids) };
    const decided = await pages.buy(id, who, { card: paymentBy(by), shown }, origin);
    // It may have been bought by another, for another price: the page of the order says which.
    return decided?.standing.kind === 'bought' ? { status: 'completed', orderId: decided.standing.orderId } : null;
  }

  private async decide(
    { use }: SimulatedProcess,
    id: string,
    holder: string,
    { decision }: Of<'decide'>,
  ): Promise<void> {
    const booking = await loadBooking(use.aggregates, id);
    if (booking.kind !== 'checkout' || booking.holder !== holder) return;
    const { orderId, mandateId } = booking.checkout;
    const context = { ...systemContext('a simulated purchase'), actor: { holder, clientId: null } };
    await use.decideChallenge.execute(new DecideChallenge(orderId, holder, decision, context));
    if (decision === 'deny') await use.the(SessionDecisions).denied({ bookingId: id, mandateId }, context);
  }

  private reach(situation: Situation): void {
    this.shops.simulation.count(`situation: ${situation}`);
  }
}

/** What a session refuses by the protocol's own words. */
const REFUSALS: readonly string[] = ['checkout_in_progress', 'checkout_canceled', 'checkout_completed'];

const onlookerOf = (holder: string) => ({ holder, email: `${holder}@example.com` });

/** Whoever is told that it is being bought, or nothing for certain, asks again. */
const isFinal = (reply: Reply): boolean =>
  'shown' in reply ||
  (reply.error instanceof UcpError ? reply.error.code !== 'checkout_in_progress' : reply.error instanceof DomainError);

/** null: an answer without a session. */
const shownIn = (answer: object): Shopped['shown'] => {
  if (!('id' in answer)) return null;
  const { status, totals, line_items: lines, ...view } = answer as SessionView;
  const { order } = view as { readonly order?: { readonly id: string } };
  return {
    status,
    total: totals.at(-1)?.amount ?? 0,
    seats: lines[0]?.quantity ?? 0,
    ...(order && { orderId: order.id }),
  };
};
