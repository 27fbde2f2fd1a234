import { loadBooking } from '#booking';
import { CHARGE_SCOPES, DomainError, money, type Party, systemContext } from '#kernel';
import { loadMandate, mandates, mandateView, statusOf } from '#mandate';
import { CancelOrder, CancelOrderHandler, Cancellations } from '../../libs/order/src/testing/index.js';
import { DecideChallenge } from '#order';
import { CreateMandate } from '../../libs/mandate/src/testing/index.js';
import { PRICE } from '../support/market.js';
import type { Answered } from './answered.js';
import { Decisions } from './decisions.js';
import type { Processes, SimulatedProcess } from './processes.js';
import { ownerOf, run } from './errands.js';
import { Insisting } from './insisting.js';
import { carryOut, isDefiniteNo, isOpen, ordering } from './requests.js';
import type { Action, Deed } from './script.js';
import { Shoppers } from './shoppers.js';
import type { Simulation } from './simulation.js';
import type { SimulatedStores } from './stores.js';
import { AGENTS, BOOKINGS, MANDATES, paymentBy, peopleOf, URLS } from './world.js';

const CONTEXT = systemContext('a simulated life');
type Of<Do extends Action['do']> = Extract<Action, { do: Do }>;

/** What a request came to, as its agent sees it. */
type Reply = { readonly view: { readonly id: string; readonly status: string } } | { readonly error: unknown };

/** What agents and travellers have processes do. Keeps what was answered, to be compared with the end. */
export class Actions {
  /** How many orders were asked for, each once, however often it was sent. */
  orders = 0;
  /** How often an order was begun under an id. */
  private readonly begun = new Map<string, number>();
  /** The key that an agent used last. */
  private readonly keys = new Map<number, string>();
  private readonly decisions: Decisions;
  private readonly insisting: Insisting;
  private readonly shoppers: Shoppers;

  constructor(
    private readonly simulation: Simulation,
    private readonly stores: SimulatedStores,
    private readonly processes: Processes,
    private readonly answered: Answered,
    private readonly heard: (error: unknown) => void,
  ) {
    this.decisions = new Decisions(stores, answered);
    this.insisting = new Insisting(simulation, processes);
    this.shoppers = new Shoppers({ simulation, stores, answered, heard, insisting: this.insisting });
  }

  /** Has a process do something for an agent or its traveller; ends with it, or with the process. */
  async act(agent: number, on: number, action: Deed): Promise<void> {
    const { simulation } = this;
    simulation.tell(() => `agent ${agent} on ${on}: ${JSON.stringify(action)}`);
    if (action.do === 'order') return this.order(agent, on, action);
    if (action.do === 'shop') return this.shoppers.shop(agent, on, action);
    await this.processes.run(on, (process) =>
      this.carryOut(process, agent, action).catch((error: unknown) => {
        simulation.tell(() => `agent ${agent}: ${String(error)}`);
        this.heard(error);
      }),
    );
  }

  private async carryOut(
    process: SimulatedProcess,
    agent: number,
    action: Exclude<Deed, Of<'order' | 'shop'>>,
  ): Promise<void> {
    const party = AGENTS[agent] ?? AGENTS[0];
    const { use } = process;
    const { bookings } = this.belongingsOf(agent);
    switch (action.do) {
      case 'decide': {
        const booking = await loadBooking(use.aggregates, bookings[action.booking] ?? '');
        if (booking.kind !== 'checkout') return;
        const { orderId } = booking.checkout;
        const context = { ...CONTEXT, actor: { holder: party.holder, clientId: null } };
        await use.decideChallenge.execute(new DecideChallenge(orderId, party.holder, action.decision, context));
        return;
      }
      case 'cancel':
        return this.cancel(process, agent, party, action);
      case 'create':
        return this.create(process, agent, party, action.mandate);
      case 'look':
        return this.look(process, party, this.idOf(agent, action.mandate));
      case 'recover':
        return use.newRecovery().round();
      case 'seal':
        await process.seal();
        return;
      case 'change':
      case 'reprice':
      case 'cancel flight':
      case 'open days':
      case 'meddle':
        return run(use, this.stores, agent, action);
      default:
        return this.decisions.carryOut(process, agent, action);
    }
  }

  /** Cancels the order of a booking. Whoever is told that it is done finds it done; whoever is refused, that it was not theirs. */
  private async cancel(
    { use }: SimulatedProcess,
    agent: number,
    party: Party,
    { booking: place, whose, isTraveller }: Of<'cancel'>,
  ): Promise<void> {
    const { bookings } = this.belongingsOf(ownerOf(agent, whose));
    const booking = await loadBooking(use.aggregates, bookings[place] ?? '');
    if (booking.kind !== 'ticketed') return;
    const { orderId } = booking;
    const by = isTraveller ? { ...party, clientId: null } : party;
    const isTheirs = booking.holder === party.holder && (isTraveller || booking.clientId === party.clientId);
    const { id } = await use.the(Cancellations).quote(this.stores.ids.next(), orderId, by);
    if (!isTheirs) this.answered.wrongs.push(`order ${orderId} was quoted to another than its own`);
    const is = (type: string, cancellationId?: string) =>
      this.stores.events.all.some(
        (event) =>
          event.stream === `order-${orderId}` &&
          event.type === type &&
          (cancellationId === undefined || event.data['cancellationId'] === cancellationId),
      );
    try {
      await use.the(CancelOrderHandler).execute(new CancelOrder(orderId, id, by, { ...CONTEXT, actor: by }));
      if (!is('OrderCancelled')) this.answered.wrongs.push(`order ${orderId} was answered as cancelled, and was not`);
    } catch (error) {
      // A refusal is a definite no: nothing comes back by this quote.
      if (error instanceof DomainError)
        this.answered.promise(
          `the cancellation ${id} was refused as ${error.code}`,
          () => !is('OrderCancellationStarted', id) || is('OrderRefundFailed'),
        );
      throw error;
    }
  }

  /** Creates one of the mandates, unless it is there; where the agent has to, it asks for it. */
  private async create({ use }: SimulatedProcess, agent: number, party: Party, place: number): Promise<void> {
    const { trips = 1, minutes = 60, currency = 'BRL', scope = CHARGE_SCOPES, constraints } = MANDATES[place] ?? {};
    const mandateId = this.idOf(agent, place);
    const { state } = await use.aggregates.load(mandates, mandateId); // as an `Idempotency-Key` has it (rule 21)
    if (state.kind !== 'none') return;
    const asked = { did: 'create', mandateId } as const;
    const terms = {
      scope,
      limit: money(trips * PRICE, currency),
      minutes,
      ...(constraints && { constraints }),
    };
    await this.answered.asked(party, asked, async () => {
      const { mandate, at } = await use.createMandate.execute(new CreateMandate(mandateId, party, terms, CONTEXT));
      const { limit, expiresAt } = mandate;
      return { status: statusOf(mandate, at), limit: limit.amount, expiresAt };
    });
  }

  /** Orders, again and again under one key where there is one and no answer came. */
  private async order(agent: number, on: number, wanted: Of<'order'>): Promise<void> {
    this.orders += 1;
    const key = this.keyOf(agent, wanted);
    const replies = await this.insisting.send<Reply>(
      on,
      key !== null,
      (process) => this.answer(process, agent, key, wanted),
      (reply) => 'view' in reply || !isOpen(reply.error),
    );
    const paid = new Set(
      replies.flatMap((reply) => ('view' in reply && reply.view.status === 'paid' ? [reply.view.id] : [])),
    );
    if (paid.size > 1) this.answered.wrongs.push(`key ${key} was answered with orders ${[...paid].join(' and ')}`);
  }

  private keyOf(agent: number, { isKeyed, reusesKey }: Of<'order'>): string | null {
    if (!isKeyed) return null;
    const known = this.keys.get(agent);
    const key = reusesKey && known ? known : `order-${this.orders}`;
    this.keys.set(agent, key);
    return key;
  }

  /** Any answer but paid or an open outcome is a definite no: no order that was begun for it is ever charged. */
  private async answer(
    process: SimulatedProcess,
    agent: number,
    key: string | null,
    wanted: Of<'order'>,
  ): Promise<Reply> {
    const by = AGENTS[agent] ?? AGENTS[0];
    const { bookings } = this.belongingsOf(ownerOf(agent, wanted.bookingOf));
    const total =
      wanted.expects === null ? {} : { expectedTotal: { amount: wanted.expects * PRICE, currency: 'BRL' as const } };
    const most =
      wanted.accepts === null ? {} : { acceptUpTo: { amount: wanted.accepts * PRICE, currency: 'BRL' as const } };
    const body = {
      bookingId: bookings[wanted.booking] ?? '',
      mandateId: wanted.mandate === null ? undefined : this.idOf(ownerOf(agent, wanted.mandateOf), wanted.mandate),
      payment: paymentBy(wanted.card),
      ...(wanted.isNamed && peopleOf(bookings[wanted.booking] ?? '', BOOKINGS[wanted.booking]?.seats ?? 1)),
      ...total,
      ...most,
    };
    const operation = ordering(process, by, body);
    const asked = this.simulation.scheduler.length;
    const { bookingId, mandateId } = body;
    const told = {
      did: 'order',
      bookingId,
      mandateId,
      expectedTotal: body.expectedTotal?.amount,
      acceptUpTo: body.acceptUpTo?.amount,
      key: key === null ? undefined : { text: key, body: JSON.stringify(body) },
    } as const;
    const begun: string[] = [];
    const begin = (id: string) => {
      begun.push(id);
      this.begun.set(id, (this.begun.get(id) ?? 0) + 1);
      return operation.begin(id);
    };
    try {
      const view = await carryOut(process, { by, key, body }, { ...operation, begin });
      this.simulation.tell(() => `agent ${agent}: order ${view.id} is ${view.status}`);
      if (view.status === 'paid' && !this.stores.isTicketed(bookingId))
        this.answered.wrongs.push(`order ${view.id} was answered as paid before its checkout was over`);
      const paid =
        view.ticketCode === null ? undefined : { ticketCode: view.ticketCode, total: view.grandTotal.amount };
      this.answered.keep(by, asked, null, { ...told, orderId: view.id, paid });
      return { view };
    } catch (error) {
      this.simulation.tell(() => `agent ${agent}: ${String(error)}`);
      this.heard(error);
      for (const orderId of begun) {
        const isNo = isDefiniteNo(error, orderId);
        const code = error instanceof DomainError ? error.code : 'service_unavailable';
        this.answered.keep(by, asked, isNo || code === 'payment_challenge_required' ? code : 'open', {
          ...told,
          orderId,
        });
        if (isNo)
          this.answered.promise(
            `order ${orderId} was refused (${error instanceof DomainError ? error.code : String(error)})`,
            () => (this.begun.get(orderId) ?? 0) > 1 || !this.stores.isCaptured(orderId),
          );
      }
      return { error };
    }
  }

  private async look({ use }: SimulatedProcess, party: Party, mandateId: string): Promise<void> {
    const asked = this.simulation.scheduler.length;
    const mandate = await loadMandate(use.aggregates, mandateId, party.holder);
    const view = mandateView({ mandate, at: this.stores.clock.now() }, URLS);
    const { status, limit, consumed, reserved, remaining } = view;
    this.answered.keep(party, asked, null, {
      did: 'look',
      mandateId,
      status,
      amounts: {
        limit: limit.amount,
        consumed: consumed.amount,
        reserved: reserved.amount,
        remaining: remaining.amount,
      },
    });
  }

  private belongingsOf(agent: number) {
    const found = this.stores.belongings[agent];
    if (!found) throw new Error(`no agent ${agent}`);
    return found;
  }

  private idOf(agent: number, place: number): string {
    return this.belongingsOf(agent).mandates[place] ?? '';
  }
}
