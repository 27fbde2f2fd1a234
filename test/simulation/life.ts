import { loadBooking } from '#booking';
import { idOf } from '#events';
import { DomainError } from '#kernel';
import { OAuthError } from '#oauth';
import type { Books } from '../support/books.js';
import { breachesIn } from '../support/audited.js';
import { findings } from '../support/findings.js';
import { Market, PRICE } from '../support/market.js';
import { Actions } from './actions.js';
import { Answered } from './answered.js';
import { Interleaving, randomFrom } from './interleaving.js';
import { isOfTheLine } from './lines.js';
import { Processes } from './processes.js';
import { reachedIn, type Situation } from './reached.js';
import type { Script, Strand } from './script.js';
import { SEATS } from './world.js';

const TWO_HOURS = 7_200_000;

/** What is wrong after a life, and what it came by. */
export interface Lived {
  readonly wrongs: readonly string[];
  readonly reached: ReadonlySet<Situation>;
}

/** Plays a script, lets everything settle, orders again what failed. */
export const livedThrough = async (script: Script): Promise<Lived> => {
  const life = new Life(await Market.open(SEATS), script);
  return life.live();
};

class Life {
  private readonly answered = new Answered();
  private readonly refusals: unknown[] = [];
  private readonly actions: Actions;
  private readonly interleaving: Interleaving;
  private readonly processes: Processes;

  constructor(
    private readonly market: Market,
    private readonly script: Script,
  ) {
    const random = randomFrom(script.seed);
    this.actions = new Actions(market, this.answered);
    this.interleaving = new Interleaving(random);
    this.processes = new Processes(market, this.interleaving, random, script, (error) => this.heard(error));
  }

  async live(): Promise<Lived> {
    const calm = this.market.process();
    await calm.prepare();
    await this.actions.begin(calm);

    const strands = Promise.all(this.script.strands.map((strand, place) => this.play(`agent ${place}`, strand)));
    await this.interleaving.run();
    await strands;
    await this.recover();
    this.answered.wrongs.push(...findings(await this.market.books()));
    await this.orderAgain();
    await this.recover();
    const books = await this.market.books();
    const wrongs = [
      ...findings(books),
      ...breachesIn(books),
      ...lateCaptures(books),
      ...(await this.answered.broken()),
      ...this.answered.wrongs,
    ];
    await this.market.close();
    return { wrongs, reached: reachedIn(books, this.refusals) };
  }

  private async play(name: string, strand: Strand): Promise<void> {
    for (const { on, action } of strand) {
      if (action.do === 'crash' || action.do === 'wait') await this.interleaving.turn(name);
      if (action.do === 'crash') this.processes.crash(on);
      else if (action.do === 'wait') this.market.stores.clock.advance(action.seconds * 1_000);
      else await this.processes.run(on, (process) => this.actions.act(process, action));
    }
  }

  /** Refusals and lost answers are part of life; anything else is not. */
  private heard(error: unknown): void {
    if (error instanceof DomainError) this.refusals.push(error);
    const isGone = error instanceof OAuthError && error.reason === 'authorization_request_gone';
    if (error instanceof DomainError || isGone || isOfTheLine(error)) return;
    this.answered.wrongs.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  /** Long afterwards, on good lines. */
  private async recover(): Promise<void> {
    this.market.stores.clock.advance(TWO_HOURS);
    for (let round = 0; round < 3; round += 1) await this.market.recover(this.market.process());
  }

  /** A booking whose order failed can be ordered again: it is paid, if there are seats. */
  private async orderAgain(): Promise<void> {
    const calm = this.market.process();
    await this.market.setMode(calm, false);
    await this.market.setCap(calm, null);
    const mandate = await this.market.grant(calm, 10 * PRICE);
    for (const booking of this.actions.bookings) {
      const { kind } = await loadBooking(calm.aggregates, booking);
      const answer = await this.market.order(calm, { booking, mandate }).catch((error: unknown) => error);
      const code = answer instanceof DomainError ? answer.code : 'paid';
      const allowed = kind === 'ticketed' ? ['booking_already_ordered'] : ['paid', 'seats_unavailable'];
      if (!allowed.includes(code)) this.answered.wrongs.push(`booking ${booking} (${kind}), ordered again: ${code}`);
    }
  }
}

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
