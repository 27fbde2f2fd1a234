import { createHash } from 'node:crypto';
import { loadBooking } from '#booking';
import { delegations, SetSpendingCap } from '#delegation';
import { idOf } from '#events';
import { CHARGE_SCOPES, DomainError, money, systemContext } from '#kernel';
import { OAuthError } from '#oauth';
import { CreateMandate } from '../../libs/mandate/src/testing/index.js';
import { PlaceOrder } from '../../libs/order/src/testing/index.js';
import { breachesIn } from '../support/audited.js';
import type { Books } from '../support/books.js';
import { findings } from '../support/findings.js';
import { LEASES } from '#documents';
import { logicalProcess } from '../support/logical-process.js';
import { CARDS, PRICE } from '../support/market.js';
import { Actions } from './actions.js';
import { Answered } from './answered.js';
import { isOfTheLine } from './faults.js';
import { Processes } from './processes.js';
import { Projectors } from './projectors.js';
import { reachedIn } from './reached.js';
import type { Mishap, Script, Strand } from './script.js';
import { SimulatedClock } from './simulated-clock.js';
import { Simulation, type Tally } from './simulation.js';
import { SimulatedStores } from './stores.js';
import { AGENTS } from './world.js';

const TWO_HOURS = 7_200_000;
const CONTEXT = systemContext('the end of a simulated life');
const NO_TROUBLE = { lines: 0, slow: 0, deaths: 0, stalls: 0 };

/** What became of a life. */
export interface Lived {
  /** What was wrong with it; empty: nothing. */
  readonly findings: readonly string[];
  /** How many orders were asked for. */
  readonly orders: number;
  readonly reached: Tally;
  /** Hex SHA-256 of the log and the ledger as they were in the end. */
  readonly hash: () => string;
  /** What happened, line by line; only where it was asked for. */
  readonly history: readonly string[];
}

/** The beginning of every life, made once. */
let beginning: Promise<SimulatedStores> | null = null;

/** Plays a script, lets everything settle, orders again what failed. `isTold`: whether its history is kept. */
export const livedThrough = async (script: Script, isTold = false): Promise<Lived> => {
  const prepared = await (beginning ??= SimulatedStores.prepared());
  const simulation = new Simulation(script.seed, script.trouble, isTold);
  const clock = new SimulatedClock(simulation.scheduler, null, simulation.random);
  return new Life(simulation, prepared.copy(clock), script).live();
};

class Life {
  private readonly answered = new Answered();
  private readonly refusals: unknown[] = [];
  private readonly projectors: Projectors;
  /** The read models as they were some time ago. */
  private earlier;

  constructor(
    private readonly simulation: Simulation,
    private readonly stores: SimulatedStores,
    private readonly script: Script,
  ) {
    this.projectors = new Projectors(simulation, stores);
    this.earlier = stores.readModelStore.copy();
  }

  async live(): Promise<Lived> {
    const { simulation, stores, script, answered } = this;
    const heard = (error: unknown) => this.heard(error);
    await this.projectors.start();
    const processes = new Processes(simulation, stores, script, heard);
    const actions = new Actions(simulation, stores, processes, answered, heard);
    const strands = script.strands.map((strand, place) => this.play(strand, place % AGENTS.length, processes, actions));
    await this.until(Promise.all(strands), 'the agents');

    simulation.trouble = NO_TROUBLE;
    simulation.disk = null;
    processes.end();
    await this.settle();
    answered.wrongs.push(...findings(stores.books()));
    await this.until(this.orderAgain(), 'who orders again');
    await this.settle();
    const books = stores.books();
    const found = [
      ...findings(books),
      ...breachesIn(books),
      ...lateCaptures(books),
      ...answered.broken(),
      ...answered.wrongs,
    ];
    this.projectors.kill();
    for (const situation of reachedIn(books, this.refusals)) simulation.count(`situation: ${situation}`);
    for (const { type } of books.events) simulation.count(`event: ${type}`);
    const { reached, history } = simulation;
    return { findings: found, orders: actions.orders, reached, hash: () => hashOf(books), history };
  }

  private async play(strand: Strand, agent: number, processes: Processes, actions: Actions): Promise<void> {
    const { scheduler } = this.simulation;
    for (const { on, action } of strand) {
      await scheduler.delay(this.simulation.random() * 20, null);
      if (action.do === 'wait') scheduler.skip(action.seconds * 1_000);
      else if (isMishap(action)) await this.befall(action, on, processes);
      else await actions.act(agent, on, action);
    }
  }

  private async befall(mishap: Mishap, on: number, processes: Processes): Promise<void> {
    const { simulation, stores } = this;
    simulation.tell(() => `on ${on}: ${JSON.stringify(mishap)}`);
    switch (mishap.do) {
      case 'crash':
        processes.at(on).die();
        break;
      case 'jump':
        simulation.count(`fault: clock jumps ${mishap.seconds > 0 ? 'forwards' : 'backwards'}`);
        processes.at(on).clock.jump(mishap.seconds * 1_000);
        break;
      case 'disk':
        simulation.disk = { is: mishap.is, until: simulation.scheduler.now + mishap.seconds * 1_000 };
        break;
      case 'projector':
        this.projectors.replace(mishap.how);
        break;
      case 'forget':
        simulation.count(`fault: ${mishap.what} forgotten`);
        if (mishap.what === 'leases') {
          stores.documents.empty(LEASES.name);
          break;
        }
        // As after a loss of power: what was not promised to be kept is gone, and whoever knew of it.
        this.projectors.kill();
        stores.readModelStore.becomeAs(this.earlier);
        await this.projectors.start();
        processes.replaceAll();
    }
    this.earlier = stores.readModelStore.copy();
  }

  /** Has the world go on until some work is over. */
  private async until<Answer>(work: Promise<Answer>, who: string): Promise<Answer | null> {
    let isOver = false;
    void work.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    if (await this.simulation.scheduler.run(() => isOver)) return work;
    this.answered.wrongs.push(`${who} stand still for ever`);
    return null;
  }

  /** Refusals and lost answers are part of life; anything else is not. */
  private heard(error: unknown): void {
    if (error instanceof DomainError) {
      this.refusals.push(error);
      this.simulation.count(`refusal: ${error.code}`);
    }
    const isGone = error instanceof OAuthError && error.reason === 'authorization_request_gone';
    if (error instanceof DomainError || isGone || isOfTheLine(error)) return;
    this.answered.wrongs.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  /** Long afterwards, on good lines: the lists catch up, and recovery does what is left. */
  private async settle(): Promise<void> {
    const { stores, simulation } = this;
    simulation.scheduler.skip(TWO_HOURS);
    for (let round = 0; round < 3; round += 1) {
      const head = stores.events.all.at(-1)?.position ?? '';
      await this.until(stores.readModels.caughtUp(head), 'the read models');
      await this.until(this.calm().newRecovery().round(), 'recovery');
    }
  }

  /** A process on good lines. */
  private calm() {
    return logicalProcess(this.stores, { onError: (_, error) => this.heard(error) });
  }

  /** A booking whose order failed can be ordered again: it is paid, if there are seats. */
  private async orderAgain(): Promise<void> {
    const process = this.calm();
    for (const [agent, { bookings }] of this.stores.belongings.entries()) {
      const party = AGENTS[agent] ?? AGENTS[0];
      const authorize = { type: 'AuthorizeAgent', ...party, grantId: 'again', scopes: CHARGE_SCOPES, asksFirst: false };
      await process.aggregates.handle(delegations, party, { ...authorize, type: 'AuthorizeAgent' }, CONTEXT);
      await process.setSpendingCap.execute(new SetSpendingCap(party.holder, party.clientId, null, CONTEXT));
      const mandateId = this.stores.ids.next();
      const terms = { scope: CHARGE_SCOPES, limit: money(10 * PRICE, 'BRL'), minutes: 60 };
      await process.createMandate.execute(new CreateMandate(mandateId, party, terms, CONTEXT));
      for (const bookingId of bookings) {
        const { kind } = await loadBooking(process.aggregates, bookingId);
        const card = { cardNumber: CARDS.good, expiry: '12/30', cvc: '123' };
        const request = { bookingId, mandateId, buyer: undefined, card, expectedTotal: undefined };
        const command = new PlaceOrder(this.stores.ids.next(), party, request, CONTEXT);
        const answer = await process.placeOrder.execute(command).catch((error: unknown) => error);
        const code = answer instanceof DomainError ? answer.code : answer instanceof Error ? answer.message : 'paid';
        const allowed = kind === 'ticketed' ? ['booking_already_ordered'] : ['paid', 'seats_unavailable'];
        if (!allowed.includes(code))
          this.answered.wrongs.push(`booking ${bookingId} (${kind}), ordered again: ${code}`);
      }
    }
  }
}

const MISHAPS: readonly string[] = ['crash', 'jump', 'disk', 'projector', 'forget'] satisfies readonly Mishap['do'][];
const isMishap = (action: { readonly do: string }): action is Mishap => MISHAPS.includes(action.do);

const hashOf = ({ events, ledger }: Books): string =>
  createHash('sha256')
    .update(JSON.stringify([events.map(({ stored }) => stored), [...ledger]]))
    .digest('hex');

/** Charges captured later than their mandate was valid, also by the end that it was narrowed to afterwards (rule 29). */
const lateCaptures = ({ events, ledger }: Books): readonly string[] => {
  const ends = new Map<string, string>();
  for (const { type, data, stored } of events) {
    if (type === 'MandateCreated') ends.set(data.mandateId, data.expiresAt);
    if (type === 'MandateNarrowed') ends.set(idOf(stored.stream), data.expiresAt);
  }
  return events.flatMap(({ type, data }) => {
    if (type !== 'BookingCheckoutStarted') return [];
    const capturedAt = ledger.get(data.orderId)?.capturedAt ?? '';
    const isLate = capturedAt > (ends.get(data.mandateId) ?? '');
    return isLate ? [`order ${data.orderId} was captured at ${capturedAt}, after its mandate had expired`] : [];
  });
};
