import { openForEach } from '#testing';
import { loadBooking } from '#booking';
import { flights } from '#catalog';
import { systemContext } from '#kernel';
import { ChangeBooking, ChangeBookingHandler, CreateBooking } from '../../libs/booking/src/testing/index.js';
import { sampleFlight } from '../../libs/catalog/src/testing/index.js';
import { Recorder } from '../chaos/steps.js';
import { gate } from '../support/gate.js';
import { AGENT, FLIGHT } from '../support/market.js';
import { Sale } from './sale.js';

const CONTEXT = systemContext('a test');
const ID = 'a0000000-0000-4000-8000-000000000000';

const sale = openForEach(() => Sale.open());
beforeEach(async () => {
  await sale.calm.prepare();
});

it('makes forty changes of a booking at once each from what the one before led to, in two appends at most', async () => {
  const request = { flightId: FLIGHT, fareCode: null, passengers: 1 };
  await sale.calm.createBooking.execute(new CreateBooking(ID, AGENT, request, CONTEXT));
  const recorder = new Recorder();
  const changing = sale.market.process({ intercept: recorder.intercept }).the(ChangeBookingHandler);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      const changes = n === 20 ? { fareCode: 'LEVE' } : { passengers: 2 + (n % 2) };
      return changing.execute(new ChangeBooking(ID, AGENT, changes, CONTEXT));
    }),
  );
  const appends = recorder.steps().filter(({ where, call }) => where === 'before' && call.startsWith('append'));
  expect(appends.length).toBeLessThanOrEqual(2);
  const { total, passengers } = answers[39] ?? {};
  expect(await loadBooking(sale.calm.aggregates, ID)).toMatchObject({
    choice: { fareCode: 'LEVE', passengers, total },
  });
  expect(total?.amount).toBeGreaterThan(0);
});

it('makes a change from the flight that was booked meanwhile, with its fare', async () => {
  const { aggregates, createBooking, the } = sale.calm;
  const flight = sampleFlight({ flightNumber: 'AL5000' });
  const [fare] = flight.fares;
  await aggregates.handle(flights, 'AL5000', { type: 'ScheduleFlight', flight }, CONTEXT);
  await createBooking.execute(
    new CreateBooking(ID, AGENT, { flightId: FLIGHT, fareCode: 'LEVE', passengers: 1 }, CONTEXT),
  );
  const { intercept, reached, open: letThrough } = gate('before', 'append BookingChanged');
  const changing = sale.market.process({ intercept }).the(ChangeBookingHandler);
  const late = changing.execute(new ChangeBooking(ID, AGENT, { passengers: 3 }, CONTEXT));
  await reached;
  const fareCode = fare?.code ?? '';
  const other = { flightNumber: 'AL5000', fareCode };
  await the(ChangeBookingHandler).execute(new ChangeBooking(ID, AGENT, { flightId: 'AL5000', fareCode }, CONTEXT));
  letThrough();
  const total = { amount: (fare?.price ?? 0) * 3, currency: flight.currency };
  expect(await late).toMatchObject({ bookingId: ID, ...other, passengers: 3, total });
  expect(await loadBooking(aggregates, ID)).toMatchObject({ choice: { ...other, passengers: 3, total } });
});
