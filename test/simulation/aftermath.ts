import { type Booking, loadBooking } from '#booking';
import { DEFAULT_CONDITIONS, flightIdOf } from '#events';
import { delegations, ResumeAgents, SetSpendingCap } from '#mandate';
import { CHARGE_SCOPES, DomainError, money, type Party, systemContext } from '#kernel';
import { changeFlight, sampleFlight } from '../../libs/catalog/src/testing/index.js';
import { CreateMandate } from '../../libs/mandate/src/testing/index.js';
import { PlaceOrder } from '../../libs/order/src/testing/index.js';
import { type LogicalProcess, logicalProcess } from '../support/logical-process.js';
import { CARDS, PRICE } from '../support/market.js';
import { cancelDeparture } from './errands.js';
import type { Simulation } from './simulation.js';
import type { SimulatedStores } from './stores.js';
import { AGENTS, DEPARTURE, SOON } from './world.js';

const TWO_HOURS = 7_200_000;
/** The pause (ms) between rounds of recovery, and how many end whatever is left: a lease of eight seconds lapses, three work. */
const [PAUSE, ROUNDS] = [1_000, 12];
const CONTEXT = systemContext('the end of a simulated life');

/** Long afterwards, on good lines: the lists catch up, and recovery does what is left, which `heard` is told of in vain. */
export const settle = async (
  { scheduler }: Simulation,
  stores: SimulatedStores,
  heard: (error: unknown) => void,
): Promise<void> => {
  scheduler.skip(TWO_HOURS);
  const calm = logicalProcess(stores, { onError: (_, error) => heard(error) });
  const caughtUp = () => stores.readModels.caughtUp(stores.events.all.at(-1)?.position ?? '');
  for (let round = 0; round < ROUNDS; round += 1) {
    await caughtUp();
    await calm.newRecovery().round();
    await scheduler.delay(PAUSE, null);
  }
  await caughtUp();
};

/**
 * A booking whose order failed can be ordered again: it is paid, if there are seats and the airline flies. Of a departure that
 * it cancelled nothing stays paid but with a card that takes no refund. `wrongs` receives what is not so.
 */
export const orderAgain = async (stores: SimulatedStores, wrongs: string[]): Promise<void> => {
  const process = logicalProcess(stores);
  const isCancelled = stores.books().events.some(({ type }) => type === 'FlightCancelled');
  if (isCancelled) {
    await cancelDeparture(process, stores.ids);
    wrongs.push(...stillPaid(stores));
  }
  // On conditions that are worse than none.
  const conditions = { ...DEFAULT_CONDITIONS, cancellation: [{ until: 'PT0M', fee: { percent: 0 } }] };
  const fares = sampleFlight().fares.map((fare) => ({ ...fare, conditions }));
  await changeFlight(process.aggregates, DEPARTURE, { type: 'RepriceFares', fares });
  for (const { holder } of AGENTS)
    await process.resumeAgents.execute(new ResumeAgents(holder, { ...CONTEXT, actor: { holder, clientId: null } }));
  for (const [agent, { bookings }] of stores.belongings.entries()) {
    const party = AGENTS[agent] ?? AGENTS[0];
    const mandateId = await freshMandate(process, stores, party);
    for (const bookingId of bookings) {
      const booking = await loadBooking(process.aggregates, bookingId);
      const acceptUpTo = money(20 * PRICE, 'BRL');
      const card = { cardNumber: CARDS.good, expiry: '12/30', cvc: '123' };
      const request = { bookingId, mandateId, buyer: undefined, card, expectedTotal: undefined, acceptUpTo };
      const command = new PlaceOrder(stores.ids.next(), party, request, { ...CONTEXT, actor: party });
      const answer = await process.placeOrder.execute(command).catch((error: unknown) => error);
      const code = answer instanceof DomainError ? answer.code : answer instanceof Error ? answer.message : 'paid';
      if (!expectedOf(booking, isCancelled).includes(code))
        wrongs.push(`booking ${bookingId} (${booking.kind}), ordered again: ${code}`);
    }
  }
};

/** What ordering a booking may come to long after the last fault. */
const expectedOf = (booking: Booking, isCancelled: boolean): readonly string[] => {
  if (booking.kind === 'none' || booking.kind === 'ticketed') return ['booking_already_ordered'];
  if (booking.choice.fareCode === null) return ['booking_empty'];
  if (booking.choice.flightNumber === SOON) return ['flight_departed'];
  return isCancelled ? ['flight_cancelled'] : ['paid', 'seats_unavailable'];
};

/** Orders of the cancelled departure that nobody gave back. */
const stillPaid = (stores: SimulatedStores): readonly string[] => {
  const paid = new Set<string>();
  const departures = new Set<string>();
  for (const { type, data, stored } of stores.books().events) {
    if (type === 'OrderPlaced' && flightIdOf(data.line) === DEPARTURE) departures.add(stored.stream);
    if (type === 'OrderPaid') paid.add(stored.stream);
    if (type === 'OrderCancelled' || type === 'OrderRefundFailed') paid.delete(stored.stream);
  }
  return [...paid].flatMap((stream) =>
    departures.has(stream) ? [`${stream} is paid, and its departure is cancelled`] : [],
  );
};

/** Lets an agent in again, without a cap, and gives it a mandate that pays for everything. */
const freshMandate = async (process: LogicalProcess, stores: SimulatedStores, party: Party): Promise<string> => {
  const { holder, clientId } = party;
  const scopes = CHARGE_SCOPES;
  const authorize = { type: 'AuthorizeAgent', holder, clientId, grantId: 'again', scopes, asksFirst: false } as const;
  const context = { ...CONTEXT, actor: party };
  await process.aggregates.handle(delegations, party, authorize, context);
  await process.setSpendingCap.execute(new SetSpendingCap(holder, clientId, null, context));
  const mandateId = stores.ids.next();
  const terms = { scope: CHARGE_SCOPES, limit: money(20 * PRICE, 'BRL'), minutes: 60 };
  await process.createMandate.execute(new CreateMandate(mandateId, party, terms, CONTEXT));
  return mandateId;
};
