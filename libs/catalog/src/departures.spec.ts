import { Aggregates } from '#event-store';
import { plus, RandomIds, systemContext } from '#kernel';
import { FixedClock, NOW, openForEach, withCalls } from '#testing';
import { MemoryEventStore } from '../../event-store/src/testing/index.js';
import { flightMeant } from './departures.js';
import { flights } from './flight.decider.js';
import { importCatalog } from './import-catalog.js';
import { later } from './local-time.rule.js';
import { DayOpener, openDays } from './open-days.js';
import { startFlightsApi } from './testing/flights-api.js';
import { changeFlight, holdSeats, sampleFare, sampleFlight, sampleTimetable } from './testing/index.js';
import { saleDays } from './timetable.decider.js';

const ZONE = 'America/Sao_Paulo';
const [HOUR, DAY] = [3_600_000, 86_400_000];
/** 2026-01-15, a Thursday, at nine in São Paulo: the first leaves at 15:30 every day, the second on three days of the week. */
const DAILY = sampleTimetable();
const CHEAP = sampleTimetable({
  ...{ flightNumber: 'AL4014', slug: 'al4014', days: '135', departureTime: '09:30', seats: 2 },
  fares: [sampleFare({ price: 100_00 })],
});
const DATED = sampleFlight({ flightNumber: 'AL9', slug: 'al9', departureDate: '2026-01-16', timeZone: ZONE });
const UNDATED = sampleFlight({ flightNumber: 'AL8', slug: 'al8', departureTime: '23:00' });

const api = openForEach(() => startFlightsApi([DAILY, CHEAP, DATED, UNDATED]));

interface Shown {
  readonly flightId: string;
  readonly departureDate: string | null;
  readonly departureAt: string | null;
  readonly seats: number;
}
const list = async (query = '') => {
  const { status, body } = await api.get(query);
  const { items = [], ...rest } = body as { readonly items?: readonly Shown[]; readonly count: number };
  return { status, ...rest, ids: items.map(({ flightId }) => flightId), items };
};
const shown = async (path: string) => (await api.get(path)).body as Shown;
const hold = async (flightId: string, seats: number) => {
  await holdSeats(api.aggregates, flightId, crypto.randomUUID(), seats);
  await api.caughtUp();
};

describe('departures of a timetable', () => {
  it('are listed once a number, as the next with a seat, in the order of before', async () => {
    expect(await list()).toMatchObject({ count: 4, ids: ['AL4014.2026-01-16', 'AL4012.2026-01-15', 'AL9', 'AL8'] });
    expect(await shown('/AL4012')).toMatchObject({
      departureDate: '2026-01-15',
      departureAt: '2026-01-15T18:30:00.000Z',
      seats: 10,
    });
    await hold('AL4014.2026-01-16', 1);
    expect(await shown('/AL4014')).toMatchObject({ departureDate: '2026-01-16', seats: 1 });
    await hold('AL4014.2026-01-16', 1);
    expect(await shown('/AL4014')).toMatchObject({ departureDate: '2026-01-19', seats: 2 });
    expect((await list('?sort=price')).ids[0]).toBe('AL4014.2026-01-19');
    expect(await shown('/AL4014?date=2026-01-16')).toMatchObject({ seats: 0 });
  });

  it('are looked for from the first whose sale is not over, and read as what follows a known end', async () => {
    const events = new MemoryEventStore();
    const [clock, read] = [new FixedClock(plus(NOW, 7 * HOUR)), [] as string[]];
    const log = withCalls(events, (name, call) => (...args) => {
      if (name === 'readStream') read.push(`${String(args[0])} from ${String(args[1])}`);
      return call(...args);
    });
    await importCatalog(new Aggregates(events, clock, new RandomIds()), [DAILY]);
    await openDays(new Aggregates(events, clock, new RandomIds()), [ZONE]);
    const aggregates = new Aggregates(log, clock, new RandomIds());
    const meant = { flightNumber: 'AL4012', passengers: 1 };
    expect((await flightMeant(aggregates, meant)).flight.departureDate).toBe('2026-01-16');
    expect(read.filter((one) => one.startsWith('flight-'))).toEqual(['flight-AL4012.2026-01-16 from 0']);
    // Another process cancels it: its stream begins.
    await changeFlight(new Aggregates(events, clock, new RandomIds()), 'AL4012.2026-01-16', { type: 'CancelFlight' });
    expect((await flightMeant(aggregates, meant)).flight.departureDate).toBe('2026-01-17');
  });

  it('rest on a timetable that is read again only for days that were not open when it was read', async () => {
    const events = new MemoryEventStore();
    const [clock, read] = [new FixedClock(NOW), [] as string[]];
    const log = withCalls(events, (name, call) => (...args) => {
      if (name === 'readStream') read.push(String(args[0]));
      return call(...args);
    });
    const [here, elsewhere] = [
      new Aggregates(log, clock, new RandomIds()),
      new Aggregates(events, clock, new RandomIds()),
    ];
    await importCatalog(elsewhere, [DAILY]);
    await openDays(elsewhere, [ZONE]);
    const on = async (date: string) => {
      read.length = 0;
      const { flight } = await flightMeant(here, { flightNumber: 'AL4012', date, passengers: 1 });
      return { seats: flight.seats, read: [...read] };
    };
    const [terms, today, last] = [['days-on-sale', 'timetable-AL4012'], '2026-01-15', '2026-03-15'];
    expect(await on(today)).toEqual({ seats: 10, read: [...terms, `flight-AL4012.${today}`] });
    expect(await on(last)).toEqual({ seats: 10, read: [`flight-AL4012.${last}`] });
    // Elsewhere the terms of the days to come change, and then these open.
    await importCatalog(elsewhere, [{ ...DAILY, seats: 7 }]);
    clock.advance(2 * DAY);
    await openDays(elsewhere, [ZONE]);
    expect(await on(last)).toEqual({ seats: 10, read: [`flight-AL4012.${last}`] });
    expect(await on('2026-03-17')).toEqual({ seats: 7, read: [...terms, 'flight-AL4012.2026-03-17'] });
  });

  it('are sold until an hour before they leave, and the next ones follow by themselves', async () => {
    const before = await api.get('/AL4012');
    api.clock.advance(5.5 * HOUR - 1);
    expect(await api.get('/AL4012')).toEqual(before);
    api.clock.advance(1);
    expect(await shown('/AL4012')).toMatchObject({ departureDate: '2026-01-16' });
    expect((await list('?date=2026-01-15')).ids).toEqual([]);
    expect(await shown('/AL4012?date=2026-01-15')).toMatchObject({ departureDate: '2026-01-15' });
    // The dated one is sold until it leaves.
    expect((await list('?date=2026-01-16')).ids).toEqual(['AL4014.2026-01-16', 'AL4012.2026-01-16', 'AL9']);
    api.clock.advance(DAY + HOUR - 1);
    expect((await list('?date=2026-01-16')).ids).toEqual(['AL9']);
    api.clock.advance(1);
    expect((await list('?date=2026-01-16')).ids).toEqual([]);
  });

  it('are found by date and by span, the cheapest first where that is asked for', async () => {
    expect((await list('?q=4014&date=2026-01-17')).ids).toEqual([]);
    const span = await list('?from=GRU&dateFrom=2026-01-18&dateTo=2026-01-21&sort=price');
    expect(span.count).toBe(6);
    expect(span.ids.slice(0, 3)).toEqual(['AL4014.2026-01-19', 'AL4014.2026-01-21', 'AL4012.2026-01-18']);
    const [first, second] = [
      await list('?q=AL4012&dateFrom=2026-01-18&dateTo=2026-01-21&limit=3'),
      await list('?q=AL4012&dateFrom=2026-01-18&dateTo=2026-01-21&limit=3&cursor='),
    ];
    expect(first.ids).toEqual(['AL4012.2026-01-18', 'AL4012.2026-01-19', 'AL4012.2026-01-20']);
    expect(second.status).toBe(422);
    const { nextCursor } = first as unknown as { readonly nextCursor: string };
    const rest = await list(`?q=AL4012&dateFrom=2026-01-18&dateTo=2026-01-21&limit=3&cursor=${nextCursor}`);
    expect(rest).toMatchObject({ count: 4, ids: ['AL4012.2026-01-21'], nextCursor: null });
  });

  it('are in another order of a day once one of them has another price', async () => {
    const dear = sampleTimetable({ flightNumber: 'AL5', slug: 'al5', fares: [sampleFare({ price: 900_00 })] });
    await importCatalog(api.aggregates, [dear]);
    await api.caughtUp();
    const cheapest = async (day: string) => (await list(`?date=${day}&sort=price&limit=1`)).ids;
    expect(await cheapest('2026-01-19')).toEqual(['AL4014.2026-01-19']);
    expect(await cheapest('2026-01-21')).toEqual(['AL4014.2026-01-21']);
    const id = 'AL5.2026-01-19';
    await changeFlight(api.aggregates, id, { type: 'RepriceFares', fares: [sampleFare({ price: 1_00 })] });
    await api.caughtUp();
    expect(await cheapest('2026-01-19')).toEqual([id]);
    expect(await cheapest('2026-01-21')).toEqual(['AL4014.2026-01-21']);
  });

  it('are not found once they are cancelled, touched by others or not, and the next ones follow', async () => {
    await hold('AL4014.2026-01-19', 1);
    const span = '?q=AL4014&dateFrom=2026-01-16&dateTo=2026-01-21';
    expect((await list(span)).ids).toEqual(['AL4014.2026-01-16', 'AL4014.2026-01-19', 'AL4014.2026-01-21']);
    expect((await list('?date=2026-01-16')).ids).toEqual(['AL4014.2026-01-16', 'AL4012.2026-01-16', 'AL9']);
    for (const id of ['AL4012.2026-01-15', 'AL4014.2026-01-16', 'AL4014.2026-01-19', 'AL9'])
      await changeFlight(api.aggregates, id, { type: 'CancelFlight' });
    await api.caughtUp();
    expect((await list(span)).ids).toEqual(['AL4014.2026-01-21']);
    expect((await list('?date=2026-01-16')).ids).toEqual(['AL4012.2026-01-16']);
    expect(await shown('/AL4012')).toMatchObject({ departureDate: '2026-01-16' });
    expect(await shown('/AL4014')).toMatchObject({ departureDate: '2026-01-21' });
    expect((await list()).ids).toContain('AL4014.2026-01-21');
  });

  it('are not there beyond the days on sale, or where the flight does not go', async () => {
    expect((await list('?q=AL4012&date=2026-03-15')).ids).toEqual(['AL4012.2026-03-15']);
    expect(await list('?date=2026-03-16')).toMatchObject({ status: 200, count: 0 });
    expect(await list('?date=2026-01-14')).toMatchObject({ status: 200, count: 0 });
    for (const path of [
      'AL4012?date=2026-03-16',
      'AL4014?date=2026-01-17',
      'AL8?date=2026-01-16',
      'AL9?date=2026-01-17',
    ])
      expect((await api.get(`/${path}`)).status).toBe(404);
    expect(await shown('/AL9?date=2026-01-16')).toMatchObject({ flightId: 'AL9' });
    expect((await api.get('/AL4012/fares?budget=1&date=2026-01-20')).status).toBe(200);
    expect((await api.get('/AL4014/fares?budget=1&date=2026-01-20')).status).toBe(404);
  });

  it.each([
    '?date=2026-02-30',
    '?date=tomorrow',
    '?date=2026-01-16&date=2026-01-17',
    '?date=2026-01-16&dateFrom=2026-01-16&dateTo=2026-01-16',
    '?from=GRU&dateFrom=2026-01-16',
    '?from=GRU&dateTo=2026-01-16',
    '?from=GRU&dateFrom=2026-01-17&dateTo=2026-01-16',
    '?from=GRU&dateFrom=2026-01-16&dateTo=2026-02-16',
    '?dateFrom=2026-01-16&dateTo=2026-01-17',
    '?q=recife&dateFrom=2026-01-16&dateTo=2026-01-17',
    '?q=a&from=%20&dateFrom=2026-01-16&dateTo=2026-01-17',
    '/AL4012?date=16/01/2026',
    '/AL4012/fares?budget=1&date=16',
  ])('are not asked for as %s', async (query) => {
    expect(await api.get(query)).toMatchObject({ status: 422, body: { error: 'invalid_query' } });
  });

  it('take 31 days and no more', async () => {
    expect((await list('?from=GRU&to=REC&dateFrom=2026-01-16&dateTo=2026-02-15')).status).toBe(200);
  });
});

describe('the days on sale', () => {
  const opened = async () => (await api.aggregates.load(saleDays, 'on-sale')).state;

  it('are opened once each, all that a process missed together', async () => {
    expect(await opened()).toEqual({ first: '2026-01-15', last: '2026-03-15' });
    await Promise.all([1, 2, 3].map(() => openDays(api.aggregates, [ZONE])));
    expect((await api.aggregates.load(saleDays, 'on-sale')).revision).toBe(0);
    // Still the 17th in São Paulo, two days later.
    api.clock.advance(2 * DAY + 14 * HOUR + HOUR - 1);
    const leases = { during: (_: string, __: number, work: () => Promise<void>) => work(), release: () => undefined };
    const ports = { aggregates: api.aggregates, clock: api.clock, leases } as never;
    const opener = new DayOpener(ports, [ZONE], (error) => expect(error).toBeUndefined());
    await opener.look();
    expect(await opened()).toMatchObject({ last: '2026-03-17' });
    api.clock.advance(1);
    await opener.look();
    expect(await opened()).toMatchObject({ last: '2026-03-18' });
    expect((await api.aggregates.load(saleDays, 'on-sale')).revision).toBe(2);
    await api.caughtUp();
    expect((await list('?q=AL4012&date=2026-03-18')).count).toBe(1);
  });

  it('follow one another in the log, whoever opens them beside whom, and are sold by nobody before their time', async () => {
    const asleep = [1, 3, 2].map((days) => {
      const clock = new FixedClock();
      clock.advance(days * DAY);
      return new Aggregates(api.log, clock, new RandomIds());
    });
    await Promise.all(asleep.map((aggregates) => openDays(aggregates, [ZONE])));
    const opening = api.log.all.filter(({ stream }) => stream === 'days-on-sale').map(({ data }) => data);
    expect(opening.map(({ first }) => first)).toEqual([
      '2026-01-15',
      ...opening.slice(0, -1).map(({ last }) => later(String(last), 1)),
    ]);
    expect(await opened()).toEqual({ first: '2026-01-15', last: '2026-03-18' });
    await api.caughtUp();
    expect((await list('?q=AL4012&date=2026-03-16')).count).toBe(0);
    api.clock.advance(DAY);
    expect((await list('?q=AL4012&date=2026-03-16')).count).toBe(1);
  });

  it('begin and end where the airport is', async () => {
    await importCatalog(api.aggregates, [
      DAILY,
      sampleTimetable({ flightNumber: 'AL7', slug: 'al7', departureTime: '12:00', timeZone: 'Pacific/Kiritimati' }),
    ]);
    await api.caughtUp();
    expect(await shown('/AL7')).toMatchObject({ departureDate: '2026-01-16', departureAt: '2026-01-15T22:00:00.000Z' });
    expect((await list('?q=AL7&date=2026-03-16')).count).toBe(1);
    expect((await list('?q=AL4012&date=2026-03-16')).count).toBe(0);
  });
});

describe('importing a timetable', () => {
  it('changes what is not open yet, and nothing before', async () => {
    await hold('AL4012.2026-01-20', 3);
    const changed = { ...DAILY, departureTime: '16:00', seats: 5, fares: [sampleFare({ price: 1_00 })] };
    await importCatalog(api.aggregates, [changed]);
    await importCatalog(api.aggregates, [changed]);
    api.clock.advance(DAY);
    await openDays(api.aggregates, [ZONE]);
    await api.caughtUp();
    expect(await shown('/AL4012?date=2026-03-15')).toMatchObject({ departureTime: '15:30', seats: 10 });
    expect(await shown('/AL4012?date=2026-03-16')).toMatchObject({ departureTime: '16:00', seats: 5 });
    expect(await shown('/AL4012?date=2026-01-20')).toMatchObject({ departureTime: '15:30', seats: 7 });
  });

  it('spares the day that others open within the hour', async () => {
    const changed = { ...DAILY, departureTime: '16:00' };
    api.clock.advance(14 * HOUR);
    await importCatalog(api.aggregates, [changed]);
    await openDays(new Aggregates(api.log, api.clock, new RandomIds()), [ZONE]);
    api.clock.advance(DAY + HOUR);
    await openDays(api.aggregates, [ZONE]);
    await api.caughtUp();
    expect(await shown('/AL4012?date=2026-03-16')).toMatchObject({ departureTime: '15:30' });
    expect(await shown('/AL4012?date=2026-03-17')).toMatchObject({ departureTime: '16:00' });
  });

  it.each([
    ['is on sale without a date', sampleTimetable({ flightNumber: 'AL8', slug: 'al8' })],
    ['is on sale with a date', sampleTimetable({ flightNumber: 'AL9', slug: 'al9', replacesUndated: true })],
    ['has a timetable', sampleFlight()],
    ['to differs', { ...DAILY, to: 'SSA' }],
    ['timeZone differs', { ...DAILY, timeZone: 'America/Recife' }],
  ])('is refused where the number %s', async (reason, entry) => {
    await expect(importCatalog(api.aggregates, [entry])).rejects.toThrow(reason);
  });

  it('withdraws a flight without a date where it says so', async () => {
    await importCatalog(api.aggregates, [sampleTimetable({ flightNumber: 'AL8', slug: 'al8', replacesUndated: true })]);
    await api.caughtUp();
    expect(await shown('/AL8')).toMatchObject({ departureDate: '2026-01-15' });
    expect((await list('?q=AL8')).ids).toEqual(['AL8.2026-01-15']);
    // What was booked of it before is still what it was.
    expect((await api.aggregates.load(flights, 'AL8')).state).toMatchObject({ flight: { departureDate: null } });
    const reprice = { type: 'RepriceFares', fares: [sampleFare({ price: 9 })] } as const;
    await api.aggregates.handle(flights, 'AL8', reprice, systemContext('test'));
    await api.caughtUp();
    expect((await list('?sort=price')).ids.at(-1)).not.toBe('AL8');
    expect(NOW.slice(0, 10)).toBe('2026-01-15');
  });
});
