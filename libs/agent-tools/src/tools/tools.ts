import { bookingOperation, BookingView, changedBooking, CreateBookingDto, readBooking } from '#booking';
import { pageOf, schemaOf } from '#http';
import { CreateMandateDto, mandateOperation, MandateView, revokedMandate } from '#mandate';
import {
  cancelOperation,
  CancellationView,
  orderOperation,
  OrderView,
  PlaceOrderDto,
  quoteOperation,
  ReceiptView,
  receiptView,
} from '#order';
import { FareQuoteView, FlightListView, flightListView, FlightView, flightView, quoteFares, searchIn } from '#catalog';
import { CHANGES, CREATES, fromBody, fromQuery, publicTool, READS, scopedTool, type Tool } from '../tool.js';
import {
  BookingArguments,
  CancellationArguments,
  ChangeBookingArguments,
  FEW_FLIGHTS,
  FlightArguments,
  MandateArguments,
  OrderArguments,
  QuoteFaresArguments,
  SearchFlightsArguments,
} from './arguments.dto.js';

/** What anybody may ask (docs/interface.md, endpoints 2 to 4). */
const FLIGHT_TOOLS = [
  publicTool({
    name: 'search_flights',
    title: 'Buscar voos',
    description:
      'Lista ou busca voos. q: cidade de destino, aeroporto (código ou nome) ou número de voo; from e to: cidade ou ' +
      'aeroporto. date: o dia da partida (AAAA-MM-DD); sem ele, a próxima partida de cada voo. dateFrom e dateTo, com ' +
      'sort=price, dão o dia mais barato. Por hora de partida, ou na ordem de sort. Cada voo traz suas tarifas em prices, com o preço por passageiro ' +
      'em centavos e, em conditions.description, o que volta se for cancelado. Vêm dez por vez, ou quantos limit disser; count é o total, e nextCursor leva aos seguintes. Onde nada é ' +
      'encontrado, suggestions traz buscas que encontram.',
    annotations: READS,
    input: fromQuery(SearchFlightsArguments),
    outputSchema: schemaOf(FlightListView),
    run: async (search, { flights, urls: { site } }) => {
      const page = { ...pageOf(search), limit: Number(search.limit ?? FEW_FLIGHTS) };
      return flightListView(await flights.find(searchIn(search), page), site);
    },
  }),
  publicTool({
    name: 'get_flight',
    title: 'Consultar um voo',
    description:
      'Lê um voo pelo número, no dia de date ou na próxima partida, com suas tarifas, o que volta de cada uma se for cancelada e os assentos ainda à venda.',
    annotations: READS,
    input: fromQuery(FlightArguments),
    outputSchema: schemaOf(FlightView),
    run: async ({ flightNumber, date }, { flights, urls: { site } }) =>
      flightView(await flights.get(flightNumber, date), site),
  }),
  publicTool({
    name: 'quote_fares',
    title: 'Comparar tarifas',
    description:
      'Compara as tarifas de um voo sob um orçamento em centavos para todos os passageiros: total, bagagem, chegada no ' +
      'mesmo dia, se cabe no orçamento e, em conditions.description, o que volta se for cancelado: diga isso ao viajante ' +
      'antes de comprar. bestByConstraints é a mais barata que chega no mesmo dia com bagagem despachada.',
    annotations: READS,
    input: fromQuery(QuoteFaresArguments),
    outputSchema: schemaOf(FareQuoteView),
    run: async ({ flightNumber, date, budget, passengers = '1' }, { flights }) =>
      quoteFares(await flights.get(flightNumber, date), Number(budget), Number(passengers)),
  }),
] as const;

/** Orders and receipts (docs/interface.md, endpoints 10 and 11). */
const ORDER_TOOLS = [
  scopedTool({
    name: 'place_order',
    title: 'Comprar: cobrar e emitir o bilhete',
    description:
      'Confirma uma reserva: confere o mandato, cobra o cartão no processador de testes e emite um bilhete por passageiro, com o ' +
      'localizador do pedido. Com o erro ' +
      'payment_challenge_required, leve o viajante a challenge.url e, depois que ele decidir, chame de novo com os ' +
      'mesmos argumentos. Com mandate_pending, o viajante ainda não decidiu sobre o mandato: espere por ele. Com ' +
      'offer_expired, o preço subiu ou as condições pioraram depois de expiresAt da reserva: mostre o que mudou; o preço se ' +
      'aceita em acceptUpTo, e as condições com change_booking.',
    annotations: { ...CREATES, destructiveHint: true },
    scopes: ['order:write', 'payment:execute'],
    input: fromBody(PlaceOrderDto),
    outputSchema: schemaOf(OrderView),
    run: (body, call) => call.create(orderOperation(call, body, call)),
  }),
  scopedTool({
    name: 'get_receipt',
    title: 'Consultar o recibo',
    description: 'Lê o recibo de um pedido pago: o bilhete, o que foi comprado e como foi pago.',
    annotations: READS,
    scopes: ['receipt:read'],
    input: fromBody(OrderArguments),
    outputSchema: schemaOf(ReceiptView),
    isWarning: false,
    run: async ({ orderId }, { orders, caller: { holder } }) =>
      receiptView(await orders.charged(orderId, holder), orders.locators),
  }),
  scopedTool({
    name: 'quote_cancellation',
    title: 'Cotar um cancelamento',
    description:
      'Diz quanto volta, quanto fica e por quê, se um pedido pago deste agente for cancelado agora. Não muda nada; o valor vale ' +
      'até expiresAt. Mostre-o ao viajante antes de cancelar.',
    annotations: CREATES,
    scopes: ['order:write'],
    input: fromBody(OrderArguments),
    outputSchema: schemaOf(CancellationView),
    run: ({ orderId }, call) => call.create(quoteOperation(call, orderId, call)),
  }),
  scopedTool({
    name: 'cancel_order',
    title: 'Cancelar um pedido',
    description:
      'Cancela um pedido como foi cotado por quote_cancellation: o bilhete deixa de valer, e o valor volta ao cartão e ao mandato. ' +
      'Não se desfaz. Com cancellation_expired, a cotação acabou: details.cancellation é a nova.',
    annotations: CHANGES,
    scopes: ['order:write'],
    input: fromBody(CancellationArguments),
    outputSchema: schemaOf(CancellationView),
    run: (names, call) => call.create(cancelOperation(call, names, call)),
  }),
] as const;

/** Payment mandates (docs/interface.md, endpoints 8 and 9). */
const MANDATE_TOOLS = [
  scopedTool({
    name: 'create_mandate',
    title: 'Criar um mandato de pagamento',
    description:
      'Cria um mandato: até que valor, em centavos de uma moeda, e por quantos minutos este agente pode cobrar do ' +
      'viajante. Nenhuma cobrança é feita sem um mandato válido. Se a resposta vier com status "pending", leve o viajante a ' +
      'approval.url e compre só depois que ele permitir. Um mandato concedido na autorização (authorization_details) já ' +
      'existe: use o mandateId que veio com o token.',
    annotations: CREATES,
    scopes: ['mandate:create'],
    input: fromBody(CreateMandateDto),
    outputSchema: schemaOf(MandateView),
    run: (body, call) => call.create(mandateOperation(call, body, call)),
  }),
  scopedTool({
    name: 'revoke_mandate',
    title: 'Revogar um mandato',
    description: 'Revoga um mandato antes do fim: depois da resposta nada mais é cobrado por ele.',
    annotations: CHANGES,
    scopes: ['mandate:create'],
    input: fromBody(MandateArguments),
    outputSchema: schemaOf(MandateView),
    run: ({ mandateId }, call) => revokedMandate(call, mandateId, call),
  }),
] as const;

/** Bookings (docs/interface.md, endpoints 5 to 7). */
const BOOKING_TOOLS = [
  scopedTool({
    name: 'create_booking',
    title: 'Criar uma reserva',
    description:
      'Cria uma reserva de um voo, no dia de date ou na próxima partida, e de uma tarifa para 1 a 9 passageiros, e diz o total, com taxas, e o que volta se for cancelada. Preço e condições são ' +
      'prometidos até expiresAt; os assentos, não. travellers diz quem voa, um por passageiro; um bebê de menos de 2 anos precisa de um ' +
      'adulto só seu. Nada é cobrado: o bilhete sai com place_order.',
    annotations: CREATES,
    scopes: ['booking:write'],
    input: fromBody(CreateBookingDto),
    outputSchema: schemaOf(BookingView),
    run: (body, call) => call.create(bookingOperation(call, body, call)),
  }),
  scopedTool({
    name: 'get_booking',
    title: 'Consultar uma reserva',
    description: 'Lê uma reserva do viajante.',
    annotations: READS,
    scopes: ['booking:write'],
    input: fromBody(BookingArguments),
    outputSchema: schemaOf(BookingView),
    run: ({ bookingId }, { bookings, caller }) => readBooking(bookings, bookingId, caller),
  }),
  scopedTool({
    name: 'change_booking',
    title: 'Alterar uma reserva',
    description:
      'Altera voo, data, tarifa ou passageiros de uma reserva que ainda não tem pedido nem bilhete. O que não é informado fica ' +
      'como está; o total passa a ser o preço de hoje, prometido até o novo expiresAt.',
    annotations: CHANGES,
    scopes: ['booking:write'],
    input: fromBody(ChangeBookingArguments),
    outputSchema: schemaOf(BookingView),
    run: ({ bookingId, ...change }, call) => changedBooking(call, bookingId, change, call),
  }),
] as const;

/** The one table of tools, in the order of a purchase: every channel and every text about tools is made from it. */
export const TOOLS: readonly Tool[] = [...FLIGHT_TOOLS, ...BOOKING_TOOLS, ...MANDATE_TOOLS, ...ORDER_TOOLS];

const BY_NAME: ReadonlyMap<unknown, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** The tool of a name as it was sent, if there is one: a `Map` knows no `__proto__` and no `constructor`. */
export const toolNamed = (name: unknown): Tool | undefined => BY_NAME.get(name);
