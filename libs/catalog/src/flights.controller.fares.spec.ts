import { openForAll } from '#testing';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { startFlightsApi } from './testing/flights-api.js';

const api = openForAll(() => startFlightsApi());

const refused = (status: number, error: string) => ({ status, body: { error } });

describe('GET /flights/{flightNumber}/fares', () => {
  it('quotes every fare under a budget for the whole party', async () =>
    expect(await api.get('/al4012/fares?budget=100000&passengers=2')).toMatchObject({
      status: 200,
      body: {
        budget: { amount: 1000_00, currency: 'BRL' },
        options: [
          { fareCode: 'LEVE', total: { amount: 919_80 }, fitsBudget: true, reasons: ['no_checked_bag'] },
          { fareCode: 'CONEXAO', total: { amount: 999_80 }, fitsBudget: true, reasons: ['arrives_next_day'] },
          { fareCode: 'CLASSICA', budgetDelta: { amount: -159_80 }, fitsBudget: false, reasons: ['over_budget'] },
          { fareCode: 'COMPLETA', fitsBudget: false, reasons: ['over_budget'] },
        ],
        bestByConstraints: { fareCode: 'CLASSICA', passengers: 2, unitPrice: { amount: 579_90 } },
      },
    }));

  it('quotes for one where it is not said, and says so where no fare qualifies', async () =>
    expect(await api.get('/AL1001/fares?budget=0')).toMatchObject({
      body: { options: [{ passengers: 1 }, { passengers: 1 }], bestByConstraints: null },
    }));

  it.each([
    '',
    'budget=',
    'budget=-1',
    'budget=1.5',
    'budget=1e3',
    'budget=1000000000000',
    'budget=%201',
    'budget=1&budget=1',
  ])('refuses ?%s as invalid_budget', async (query) =>
    expect(await api.get(`/AL4012/fares?${query}`)).toMatchObject(refused(422, 'invalid_budget')),
  );

  it.each(['0', '10', '2.5', '', 'two', '01'])('refuses %j passengers', async (passengers) =>
    expect(await api.get(`/AL4012/fares?budget=1&passengers=${passengers}`)).toMatchObject(
      refused(422, 'invalid_passengers'),
    ),
  );

  it('refuses passengers said twice as invalid_query', async () =>
    expect(await api.get('/AL4012/fares?budget=1&passengers=1&passengers=1')).toMatchObject(
      refused(422, 'invalid_query'),
    ));

  it('names the budget first where several parameters are wrong, and lists all', async () =>
    expect(await api.get('/AL4012/fares?budget=x&passengers=x')).toMatchObject({
      body: { error: 'invalid_budget', details: [{ field: 'budget' }, { field: 'passengers' }] },
    }));

  it('does not know other flights', async () =>
    expect(await api.get('/AL9999/fares?budget=1')).toMatchObject(refused(404, 'flight_not_found')));
});

describe('the OpenAPI document', () => {
  it('has the forms of the interface, with null where they may be null', () => {
    const document = SwaggerModule.createDocument(api.app, new DocumentBuilder().setOpenAPIVersion('3.1.0').build());
    expect(Object.keys(document.paths)).toEqual([
      '/api/v1/flights',
      '/api/v1/flights/{flightNumber}',
      '/api/v1/flights/{flightNumber}/fares',
    ]);
    expect(document.components?.schemas).toMatchObject({
      Flight: {
        properties: {
          seats: { type: 'integer' },
          departureDate: { type: ['string', 'null'], format: 'date' },
          prices: { type: 'array', items: { $ref: '#/components/schemas/Fare' } },
        },
      },
      Fare: { properties: { baggage: { enum: ['none', 'checked', 'checked+seat'] } } },
      FareQuote: {
        properties: { bestByConstraints: { anyOf: [{ $ref: '#/components/schemas/FareOption' }, { type: 'null' }] } },
      },
    });
  });
});
