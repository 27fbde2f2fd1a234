import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  API,
  ApiErrors,
  ApiListResponse,
  ApiUnchanged,
  type BaseUrls,
  CurrentBaseUrls,
  ETagInterceptor,
  KeptWhileUnchanged,
  LimitedBy,
  pageOf,
  Public,
  QueryString,
} from '#http';
import { FareQuoteView } from './fare-quote.view.js';
import { flightListView, FlightView, flightView, SHOWN } from './flight.view.js';
import { QuoteFaresDto, SearchFlightsDto } from './flights.dto.js';
import { GetFlight } from './get-flight.js';
import { QuoteFares } from './quote-fares.js';
import { SearchFlights } from './search-flights.js';

const ApiFlightNumber = () =>
  ApiParam({
    name: 'flightNumber',
    description: 'Número do voo; maiúsculas, espaços e hífens não contam.',
    example: 'AL4012',
  });

/** Flights and fares, for everybody (docs/interface.md, endpoints 2 to 4). */
@ApiTags('flights')
@Public()
@Controller(`${API}/flights`)
@KeptWhileUnchanged(SHOWN)
@UseInterceptors(ETagInterceptor)
@ApiUnchanged()
export class FlightsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @LimitedBy('publicReads', 3)
  @ApiOperation({ operationId: 'searchFlights', summary: 'Lista ou busca voos, por hora de partida' })
  @ApiListResponse(FlightView)
  @ApiErrors('invalid_query', 'invalid_cursor')
  async search(@QueryString(SearchFlightsDto) query: SearchFlightsDto, @CurrentBaseUrls() { site }: BaseUrls) {
    return flightListView(await this.queries.execute(new SearchFlights(query, pageOf(query))), site);
  }

  @Get(':flightNumber')
  @ApiOperation({ operationId: 'getFlight', summary: 'Lê um voo com suas tarifas' })
  @ApiFlightNumber()
  @ApiOkResponse({ type: FlightView })
  @ApiErrors('flight_not_found')
  async get(@Param('flightNumber') flightNumber: string, @CurrentBaseUrls() { site }: BaseUrls): Promise<FlightView> {
    return flightView(await this.queries.execute(new GetFlight(flightNumber)), site);
  }

  @Get(':flightNumber/fares')
  @ApiOperation({ operationId: 'quoteFares', summary: 'Compara as tarifas de um voo sob um orçamento' })
  @ApiFlightNumber()
  @ApiOkResponse({ type: FareQuoteView })
  @ApiErrors('flight_not_found', 'invalid_budget', 'invalid_passengers', 'invalid_query')
  quote(
    @Param('flightNumber') flightNumber: string,
    @QueryString(QuoteFaresDto) { budget, passengers = '1' }: QuoteFaresDto,
  ): Promise<FareQuoteView> {
    return this.queries.execute(new QuoteFares(flightNumber, Number(budget), Number(passengers)));
  }
}
