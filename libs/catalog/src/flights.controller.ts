import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  API,
  ApiErrors,
  ApiUnchanged,
  type BaseUrls,
  CurrentBaseUrls,
  ETagInterceptor,
  LimitedBy,
  pageOf,
  Public,
  QueryString,
  type RepeatableAnswer,
} from '#http';
import { FareQuoteView } from './fare-quote.view.js';
import { FlightAnswers } from './flight-answers.js';
import { FlightListView, FlightView } from './flight.view.js';
import { DateDto, QuoteFaresDto, searchIn, SearchFlightsDto } from './flights.dto.js';

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
@UseInterceptors(ETagInterceptor)
@ApiUnchanged()
export class FlightsController {
  constructor(private readonly answers: FlightAnswers) {}

  @Get()
  @LimitedBy('publicReads', 3)
  @ApiOperation({ operationId: 'searchFlights', summary: 'Lista ou busca voos' })
  @ApiOkResponse({ type: FlightListView })
  @ApiErrors('invalid_query', 'invalid_cursor')
  search(
    @QueryString(SearchFlightsDto) query: SearchFlightsDto,
    @CurrentBaseUrls() { site }: BaseUrls,
  ): RepeatableAnswer {
    return this.answers.search(searchIn(query), pageOf(query), site);
  }

  @Get(':flightNumber')
  @ApiOperation({ operationId: 'getFlight', summary: 'Lê um voo com suas tarifas' })
  @ApiFlightNumber()
  @ApiOkResponse({ type: FlightView })
  @ApiErrors('flight_not_found', 'invalid_query')
  get(
    @Param('flightNumber') flightNumber: string,
    @QueryString(DateDto) { date }: DateDto,
    @CurrentBaseUrls() { site }: BaseUrls,
  ): RepeatableAnswer {
    return this.answers.flight(flightNumber, date, site);
  }

  @Get(':flightNumber/fares')
  @ApiOperation({ operationId: 'quoteFares', summary: 'Compara as tarifas de um voo sob um orçamento' })
  @ApiFlightNumber()
  @ApiOkResponse({ type: FareQuoteView })
  @ApiErrors('flight_not_found', 'invalid_budget', 'invalid_passengers', 'invalid_query')
  quote(
    @Param('flightNumber') flightNumber: string,
    @QueryString(QuoteFaresDto) { budget, passengers = '1', date }: QuoteFaresDto,
  ): RepeatableAnswer {
    return this.answers.quote({ flightNumber, date, passengers: Number(passengers) }, Number(budget));
  }
}
