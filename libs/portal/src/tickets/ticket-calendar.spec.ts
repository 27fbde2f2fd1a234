import type { Flight } from '#catalog';
import type { Orders, PaidOrder } from '#order';
import { NOW } from '#testing';
import ICAL from 'ical.js';
import { sampleCheckout, samplePayment } from '../../../booking/src/testing/index.js';
import { ticketCalendar } from './ticket-calendar.js';

const flight: Pick<Flight, 'departureDate' | 'departureTime' | 'timeZone' | 'durationMin'> = {
  departureDate: '2027-07-01',
  departureTime: '23:30',
  timeZone: 'Europe/Lisbon',
  durationMin: 615,
};
const order: PaidOrder = {
  kind: 'paid',
  checkout: sampleCheckout(),
  placedAt: NOW,
  challenge: null,
  ticketCode: '9770000000014',
  payment: samplePayment,
  paidAt: NOW,
};

const written = (changes: Partial<typeof flight> = {}): Promise<string> => {
  const orders = { flightOf: () => Promise.resolve({ ...flight, ...changes }), locators: { of: () => 'K7MPXR' } };
  return ticketCalendar(orders as unknown as Orders, order);
};

describe('the flight of a ticket, as another program reads it', () => {
  it('is one event from departure to arrival in the zone of the airport, which the file describes', async () => {
    const text = await written();
    const calendar = new ICAL.Component(ICAL.parse(text) as [string, unknown[], unknown[]]);
    const [zone, ...others] = calendar.getAllSubcomponents('vtimezone');
    if (zone) ICAL.TimezoneService.register(new ICAL.Timezone(zone));
    expect(others).toEqual([]);
    const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined);
    const { startDate, endDate, summary, description, uid, component } = event;
    expect(startDate.toString()).toBe('2027-07-01T23:30:00');
    // By the zone as the file has it: Lisbon is an hour ahead in July.
    expect([startDate.toJSDate().toISOString(), endDate.toJSDate().toISOString()]).toEqual([
      '2027-07-01T22:30:00.000Z',
      '2027-07-02T08:45:00.000Z',
    ]);
    expect([summary, description]).toEqual([
      'Voo AL4012: São Paulo – Recife',
      'Localizador K7MPXR. Voo AL4012, GRU–REC (Recife), tarifa Clássica.',
    ]);
    expect([uid, String(component.getFirstPropertyValue('dtstamp'))]).toEqual([
      'o1@alcada',
      expect.stringMatching(/Z$/),
    ]);
    expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    expect(await written()).toBe(text);
  });

  it('is none where the flight has no date', async () => {
    await expect(written({ departureDate: null })).rejects.toMatchObject({ code: 'ticket_not_found' });
  });
});
