import { isClosed } from './flight.decider.js';

const at = (departureDate: string, departureTime: string, timeZone: string) => ({
  departureDate,
  departureTime,
  timeZone,
});

describe('departure', () => {
  it('never closes the sale of a flight without a date', () =>
    expect(isClosed({ departureDate: null, departureTime: '00:00', timeZone: null }, '2999-01-01T00:00:00.000Z')).toBe(
      false,
    ));

  it.each([
    ['in São Paulo', at('2026-07-15', '15:30', 'America/Sao_Paulo'), '2026-07-15T18:30:00.000Z'],
    ['in Lisbon in summer', at('2026-07-15', '11:20', 'Europe/Lisbon'), '2026-07-15T10:20:00.000Z'],
    ['in Lisbon in winter', at('2026-12-15', '11:20', 'Europe/Lisbon'), '2026-12-15T11:20:00.000Z'],
    ['in Noronha, past midnight UTC', at('2026-07-15', '23:10', 'America/Noronha'), '2026-07-16T01:10:00.000Z'],
    ['on the day clocks go forward', at('2026-03-29', '12:00', 'Europe/Madrid'), '2026-03-29T10:00:00.000Z'],
    ['in the hour that is skipped', at('2026-03-29', '02:30', 'Europe/Madrid'), '2026-03-29T01:30:00.000Z'],
    ['in the hour that is repeated', at('2026-10-25', '02:30', 'Europe/Madrid'), '2026-10-25T00:30:00.000Z'],
    ['the hour after it', at('2026-10-25', '03:30', 'Europe/Madrid'), '2026-10-25T02:30:00.000Z'],
    ['in the repeated hour of New York', at('2026-11-01', '01:15', 'America/New_York'), '2026-11-01T05:15:00.000Z'],
    ['where the day is far ahead of UTC', at('2026-07-15', '00:05', 'Pacific/Kiritimati'), '2026-07-14T10:05:00.000Z'],
  ])('closes the sale %s at the moment the flight leaves', (_, flight, moment) => {
    expect(isClosed(flight, moment)).toBe(true);
    expect(isClosed(flight, new Date(Date.parse(moment) - 1).toISOString())).toBe(false);
    expect(isClosed(flight, new Date(Date.parse(moment) + 3_600_000).toISOString())).toBe(true);
  });
});
