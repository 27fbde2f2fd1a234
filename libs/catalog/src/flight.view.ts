import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BAGGAGE, type Fare, flightIdOf } from '#events';
import { ConditionsView, listOf } from '#http';
import { CURRENCIES, type Currency } from '#kernel';
import { airportOf } from './airports.js';
import { conditionsView } from '#site';
import type { FoundFlights } from './known-flights.js';
import { departureOf } from './flight.decider.js';
import type { ShownFlight } from './flights.projection.js';
import { SUGGESTIONS } from './suggestions.js';

/** What follows from a fare's fields (docs/interface.md, Fare). */
export const arrivalAndBaggage = ({ arrivalDayOffset, baggage }: Pick<Fare, 'arrivalDayOffset' | 'baggage'>) => ({
  arrivesSameDay: arrivalDayOffset === 0,
  hasCheckedBag: baggage !== 'none',
});

@ApiSchema({ name: 'Fare' })
export class FareView {
  @ApiProperty({ description: 'Código exato, o `fareCode` das reservas.', example: 'CLASSICA' })
  readonly code: string;

  @ApiProperty({ example: 'Clássica' })
  readonly name: string;

  @ApiProperty({ type: 'integer', description: 'Preço por passageiro, em centavos da moeda do voo.', example: 57990 })
  readonly price: number;

  @ApiProperty({ type: 'integer', description: 'O preço sem as taxas, em centavos.', example: 54570 })
  readonly base: number;

  @ApiProperty({
    type: 'integer',
    description: 'As taxas de embarque, incluídas no preço, em centavos.',
    example: 3420,
  })
  readonly taxes: number;

  @ApiProperty({ type: ConditionsView, description: 'O que volta, se a viagem for cancelada.' })
  readonly conditions: ConditionsView;

  @ApiProperty({ description: 'Hora local de chegada, HH:mm.', example: '18:45' })
  readonly arrivalTime: string;

  @ApiProperty({ type: 'integer', description: 'Dias depois do dia da partida.', example: 0 })
  readonly arrivalDayOffset: number;

  @ApiProperty({
    enum: BAGGAGE,
    description: 'Bagagem incluída: nenhuma; despachada; despachada e assento.',
    example: 'checked',
  })
  readonly baggage: Fare['baggage'];

  @ApiProperty({ description: 'Chega no dia da partida.', example: true })
  readonly arrivesSameDay: boolean;

  @ApiProperty({ description: 'Inclui bagagem despachada.', example: true })
  readonly hasCheckedBag: boolean;
}

/** A flight as the interface shows it, with `flightId`, `fromCity`, `departureDate`, `departureAt` and `currency` added (docs/decisions.md, Flights). */
@ApiSchema({ name: 'Flight' })
export class FlightView {
  @ApiProperty({ description: 'Identifica a partida; sem forma definida.', example: 'AL4012.2026-12-03' })
  readonly flightId: string;

  @ApiProperty({ description: 'Identifica o voo nos caminhos.', example: 'AL4012' })
  readonly flightNumber: string;

  @ApiProperty({ example: 'sao-paulo-gru-recife-rec-al4012' })
  readonly slug: string;

  @ApiProperty({ description: 'Aeroporto de origem (IATA).', example: 'GRU' })
  readonly from: string;

  @ApiProperty({ description: 'Aeroporto de destino (IATA).', example: 'REC' })
  readonly to: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Cidade de origem; null: desconhecida.',
    example: 'São Paulo',
  })
  readonly fromCity: string | null;

  @ApiProperty({ description: 'Cidade de destino.', example: 'Recife' })
  readonly toCity: string;

  @ApiProperty({ description: 'Hora local da partida, HH:mm.', example: '15:30' })
  readonly departureTime: string;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date',
    description: 'Data local da partida; null: o voo não tem data marcada.',
    example: '2026-12-03',
  })
  readonly departureDate: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'O instante da partida; null: o voo não tem data marcada.',
    example: '2026-12-03T18:30:00.000Z',
  })
  readonly departureAt: string | null;

  @ApiProperty({ type: 'integer', description: 'Duração em minutos.', example: 195 })
  readonly durationMin: number;

  @ApiProperty({ type: 'integer', description: 'Assentos ainda à venda.', example: 220 })
  readonly seats: number;

  @ApiProperty({ enum: CURRENCIES, description: 'Moeda dos preços.', example: 'BRL' })
  readonly currency: Currency;

  @ApiProperty({ type: [FareView], description: 'Tarifas do voo.' })
  readonly prices: readonly FareView[];

  @ApiProperty({
    format: 'uri',
    description: 'Página pública do voo.',
    example: 'http://127.0.0.1:3000/voos/sao-paulo-gru-recife-rec-al4012',
  })
  readonly url: string;
}

/** One page of flights; where a search found none, searches that find some. */
export const FlightListView = listOf(FlightView, 'FlightList', { suggestions: SUGGESTIONS });

const fareView = ({ code, name, price, taxes = 0, conditions, ...fare }: Fare): FareView => ({
  ...{ code, name, price, base: price - taxes, taxes, conditions: conditionsView(conditions) },
  ...fare,
  ...arrivalAndBaggage(fare),
});

/** A flight on sale for the public. `siteUrl`: `{site_url}` without a trailing slash. */
export const flightView = (flight: ShownFlight, siteUrl: string): FlightView => ({
  flightId: flightIdOf(flight),
  flightNumber: flight.flightNumber,
  slug: flight.slug,
  from: flight.from,
  to: flight.to,
  fromCity: flight.fromCity ?? airportOf(flight.from)?.city ?? null,
  toCity: flight.toCity,
  departureTime: flight.departureTime,
  departureDate: flight.departureDate,
  departureAt: departureOf(flight),
  durationMin: flight.durationMin,
  seats: flight.seatsLeft,
  currency: flight.currency,
  prices: flight.fares.map(fareView),
  url: `${siteUrl}/voos/${flight.slug}`,
});

export const flightListView = (
  { items, ...page }: FoundFlights<ShownFlight>,
  siteUrl: string,
): FoundFlights<FlightView> => ({
  ...page,
  items: items.map((flight) => flightView(flight, siteUrl)),
});
