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
    sampleFlight({ ...DATED, slug: 'cancelado', flightNumber: 'AL7003', departureDate: '2999-01-01' }),
  ]) {
    const command = { type: 'ScheduleFlight', flight } as const;
    await api.aggregates.handle(flights, flight.flightNumber, command, systemContext('test'));
  }
  await api.aggregates.handle(flights, 'AL7003', { type: 'CancelFlight', reason: 'neve' }, systemContext('test'));
  await api.caughtUp();
});

const find = (slug: string) => api.app.get(FlightDocuments).findBySlug(slug);

describe('a flight by the slug of its page', () => {
  it('is found, and is still on sale', async () => {
    const found = await find('recife-rec-fernando-de-noronha-fen-al4101');
    expect(found).toMatchObject({
      flight: { flightNumber: 'AL4101', slug: 'recife-rec-fernando-de-noronha-fen-al4101' },
      closed: null,
    });
  });

  it('is over once its hour has come, and before where it was cancelled', async () => {
    const closed = async (slug: string) => (await find(slug))?.closed;
    expect([await closed('ontem'), await closed('um-dia'), await closed('cancelado')]).toEqual([
      'over',
      null,
      'cancelled',
    ]);
  });

  it.each(['nada', '', 'ONTEM', 'AL4101', '__proto__', '\u0000'])('is not found as %j', async (slug) => {
    expect(await find(slug)).toBeNull();
  });
});
