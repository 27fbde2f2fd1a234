import { TZDate } from '@date-fns/tz';
import { cityNamed, departureOf } from '#catalog';
import { DomainError, millisecondsOf } from '#kernel';
import type { Orders, PaidOrder } from '#order';
import { citiesText } from '../account/orders/order-rows.js';

/**
 * The flight of a paid order as an iCalendar file (RFC 5545) with one event, in the zone of its departure; it names nobody.
 * @throws DomainError `ticket_not_found` for a flight without a date
 */
export const ticketCalendar = async (orders: Orders, order: PaidOrder): Promise<string> => {
  const { line, orderId } = order.checkout;
  const flight = await orders.flightOf(order);
  const departure = flight && departureOf(flight);
  if (!departure) throw new DomainError('ticket_not_found');
  const { timeZone, durationMin } = flight;
  const zone = timeZone ?? 'UTC';
  const starts = millisecondsOf(departure);
  // Few ask for a calendar, and a start need not load what writes it.
  const [{ default: calendar }, { tzlib_get_ical_block: zoneBlock }] = await Promise.all([
    import('ical-generator'),
    import('timezones-ical-library'),
  ]);
  // A zone for the whole calendar would stand on its stamps too, which are in UTC.
  const made = calendar({
    prodId: { company: 'Alçada', product: 'bilhete', language: 'PT' },
    timezone: { name: null, generator: (name) => [zoneBlock(name)].flat()[0] ?? null },
  });
  made.createEvent({
    id: `${orderId}@alcada`,
    stamp: new Date(order.paidAt),
    start: new TZDate(starts, zone),
    end: new TZDate(starts + durationMin * 60_000, zone),
    timezone: zone,
    summary: `Voo ${line.flightNumber}: ${citiesText(line)}`,
    location: `Aeroporto ${line.from}, ${cityNamed(line.from)}`,
    description: `Localizador ${orders.locators.of(order.ticketCode)}. ${line.description}.`,
  });
  return made.toString();
};
