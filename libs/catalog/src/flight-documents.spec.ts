import { openForAll } from '#testing';
import { systemContext } from '#kernel';
import { FlightDocuments } from './flight-documents.js';
import { startFlightsApi } from './testing/flights-api.js';
import { sampleFlight } from './testing/index.js';
import { flights } from './flight.decider.js';

const DATED = { slug: 'ontem', flightNumber: 'AL7001', timeZone: 'America/Sao_Paulo' };

const api = openForAll(() => startFlightsApi());
beforeAll(async () => {
  for (const flight of [
    sampleFlight({ ...DATED, departureDate: '2020-01-01' }),
    sampleFlight({ ...DATED, slug: 'um-dia', flightNumber: 'AL7002', departureDate: '2999-01-01' }),
  ]) {
    const command = { type: 'ScheduleFlight', flight } as const;
    await api.aggregates.handle(flights, flight.flightNumber, command, systemContext('test'));
  }
  await api.caughtUp();
});

const find = (slug: string) => api.app.get(FlightDocuments).findBySlug(slug);

describe('a flight by the slug of its page', () => {
  it('is found, and is still on sale', async () => {
    const found = await find('recife-rec-fernando-de-noronha-fen-al4101');
    expect(found).toMatchObject({
      flight: { flightNumber: 'AL4101', slug: 'recife-rec-fernando-de-noronha-fen-al4101' },
      isClosed: false,
    });
  });

  it('has departed once its hour has come', async () => {
    expect([(await find('ontem'))?.isClosed, (await find('um-dia'))?.isClosed]).toEqual([true, false]);
  });

  it.each(['nada', '', 'ONTEM', 'AL4101', '__proto__', '\u0000'])('is not found as %j', async (slug) => {
    expect(await find(slug)).toBeNull();
  });
});
