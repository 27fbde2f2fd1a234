import { flights } from '#catalog';
import { DomainError, money, plus, systemContext } from '#kernel';
import { CreateBooking } from '../../libs/booking/src/testing/index.js';
import { sampleFlight } from '../../libs/catalog/src/testing/index.js';
import { type Books, readBooks } from './books.js';
import type { LogicalProcess } from './logical-process.js';
import { AGENT, Market, PRICE, type Wanted } from './market.js';

const CONTEXT = systemContext('a test');
/** Seats of each flight, and after how many rounds another one is on sale. */
const [SEATS, ROUNDS_A_FLIGHT] = [200, 12];
const SECOND = 1_000;

/** The books of a service that sold so many orders, by everything that agents, travellers and the program do. */
export const soundBooks = async (orders: number): Promise<Books> => {
  const market = await Market.open();
  await market.process().prepare();
  const seller = new Seller(market);
  for (let round = 0; seller.paid < orders; round += 1) await seller.round(round);
  market.stores.clock.advance(7_200 * SECOND);
  for (let time = 0; time < 2; time += 1) await market.recover(seller.process); // which has the lease
  const wrong = await market.findings();
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const books = await readBooks(market.stores.events, market.stores.documents);
  await market.close();
  return books;
};

class Seller {
  paid = 0;
  readonly process: LogicalProcess;
  private flight = '';

  constructor(private readonly market: Market) {
    this.process = market.process();
  }

  async round(round: number): Promise<void> {
    const { market, process } = this;
    if (round % ROUNDS_A_FLIGHT === 0) await this.schedule(`AL${5_000 + round / ROUNDS_A_FLIGHT}`);
    await market.setCap(process, money((round + 1) * 100 * PRICE, 'BRL'));
    await this.refused(() => market.grant(process, (round + 2) * 100 * PRICE)); // above the cap
    const wide = await market.grant(process, 10 * PRICE);
    await this.buy(wide, 1);
    await this.buy(wide, 2);
    const booking = await this.book();
    await this.refused(() => this.order({ booking, mandate: wide, card: 'declined' }));
    await this.order({ booking, mandate: wide });
    await this.challenged(wide);
    await market.pause(process, wide);
    await this.refused(() => this.buy(wide));
    await market.resume(process, wide);
    await market.narrow(process, wide, { limit: money(6 * PRICE + 1_00, 'BRL') });
    await this.buy(wide);
    await this.refused(() => this.buy(wide));
    await this.asked();
    const bounded = await market.grant(process, 3 * PRICE, { constraints: { maxOrders: 1, to: ['REC'] } });
    await this.buy(bounded);
    await this.refused(() => this.buy(bounded));
    const short = await market.grant(process, PRICE, { minutes: 1 });
    market.stores.clock.advance(61 * SECOND);
    await this.refused(() => this.buy(short));
    for (const mandate of [wide, bounded]) await market.revoke(process, mandate);
    await this.refused(() => this.buy(wide));
    await market.recover(process);
  }

  private async schedule(flightNumber: string): Promise<void> {
    this.flight = flightNumber;
    const flight = sampleFlight({ flightNumber, slug: flightNumber.toLowerCase(), seats: SEATS });
    await this.process.aggregates.handle(flights, flightNumber, { type: 'ScheduleFlight', flight }, CONTEXT);
  }

  private async book(passengers = 1): Promise<string> {
    this.market.stores.clock.advance(SECOND);
    const bookingId = this.market.stores.ids.next();
    const request = { flightId: this.flight, fareCode: 'LEVE', passengers };
    await this.process.createBooking.execute(new CreateBooking(bookingId, AGENT, request, CONTEXT));
    return bookingId;
  }

  private async order(wanted: Wanted): Promise<void> {
    this.market.stores.clock.advance(SECOND);
    await this.market.order(this.process, wanted);
    this.paid += 1;
  }

  private async buy(mandate: string, passengers = 1): Promise<void> {
    await this.order({ booking: await this.book(passengers), mandate });
  }

  private async challenged(mandate: string): Promise<void> {
    const wanted = {
      booking: await this.book(),
      mandate,
      card: 'challenged',
      orderId: this.market.stores.ids.next(),
    } as const;
    await this.refused(() => this.order(wanted));
    await this.market.decide(this.process, wanted.orderId, 'approve');
    await this.order(wanted);
  }

  private async asked(): Promise<void> {
    const { market, process } = this;
    await market.setMode(process, true);
    const mandate = await market.grant(process, 2 * PRICE);
    await this.refused(() => this.buy(mandate));
    await market.approve(process, mandate, money(PRICE, 'BRL'), 60);
    await market.setMode(process, false);
    await this.buy(mandate);
    const expiresAt = plus(market.stores.clock.now(), 300 * SECOND);
    await market.narrow(process, mandate, { expiresAt });
  }

  private async refused(work: () => Promise<unknown>): Promise<void> {
    const refusal = await work().then(
      () => null,
      (error: unknown) => error,
    );
    if (!(refusal instanceof DomainError)) throw new Error('it should have been refused', { cause: refusal });
  }
}
