/** What the document says of one operation beside its summary, in Portuguese, and all of it in English. */
type OperationText = Readonly<Record<'summaryEn' | 'description' | 'descriptionEn' | 'answer' | 'answerEn', string>>;

export const OPERATION_TEXTS: Readonly<Record<string, OperationText>> = {
  getHealth: {
    summaryEn: 'Checks that the service is alive',
    description: 'Diz que o processo está vivo. Se ele pode atender, diz GET /health/ready.',
    descriptionEn: 'Says that the process is alive. Whether it can work is said by GET /health/ready.',
    answer: 'O processo está vivo.',
    answerEn: 'The process is alive.',
  },
  getReadiness: {
    summaryEn: 'Says whether this process can work, or what it lacks',
    description:
      'Para operadores e proxies: 200 quando o processo pode atender, 503 com o que falta em details.missing quando ' +
      'não pode.',
    descriptionEn:
      'For operators and proxies: 200 where the process can work, 503 with what it lacks in details.missing where it ' +
      'cannot.',
    answer: 'O processo pode atender.',
    answerEn: 'The process can work.',
  },
  searchFlights: {
    summaryEn: 'Lists or searches flights',
    description:
      'Lista os voos à venda, ou busca entre eles por cidade, aeroporto ou número: num dia, ou a próxima partida de cada um. Onde nada é encontrado, ' +
      'suggestions traz buscas parecidas que encontram. Não precisa de token.',
    descriptionEn:
      'Lists the flights on sale, or searches them by city, airport or number: on a day, or the next departure of each. Where nothing is found, suggestions ' +
      'has similar searches that find something. Takes no token.',
    answer: 'Uma página de voos.',
    answerEn: 'A page of flights.',
  },
  getFlight: {
    summaryEn: 'Reads a flight with its fares',
    description:
      'O voo num dia, ou a próxima partida, com suas tarifas, em centavos por passageiro, e os assentos ainda à venda. Não precisa de token.',
    descriptionEn:
      'The flight on a day, or its next departure, with its fares, in cents for each passenger, and the seats still on sale. Takes no token.',
    answer: 'O voo.',
    answerEn: 'The flight.',
  },
  quoteFares: {
    summaryEn: 'Compares the fares of a flight under a budget',
    description:
      'O preço de cada tarifa para todos os passageiros, se cabe no orçamento e o que lhe falta. bestByConstraints é ' +
      'a mais barata que chega no mesmo dia com bagagem despachada. Não precisa de token.',
    descriptionEn:
      'The price of each fare for all passengers, whether it fits the budget and what it falls short of. ' +
      'bestByConstraints is the cheapest that arrives the same day with a checked bag. Takes no token.',
    answer: 'As tarifas, comparadas.',
    answerEn: 'The fares, compared.',
  },
  createBooking: {
    summaryEn: 'Creates a booking',
    description:
      'Guarda o voo, a tarifa e os passageiros escolhidos, com o total que será cobrado. Nada é obrigatório: sem voo ' +
      'ou tarifa é um rascunho. O preço é prometido até expiresAt, os assentos não: só o pedido os segura.',
    descriptionEn:
      'Keeps the chosen flight, fare and passengers, with the total that will be charged. Nothing is required: ' +
      'without a flight or a fare it is a draft. The price is promised until expiresAt, seats are not: an order holds them.',
    answer: 'A reserva criada.',
    answerEn: 'The booking that was created.',
  },
  listBookings: {
    summaryEn: 'Lists the traveller’s bookings, newest first',
    description: 'As reservas do viajante, feitas por qualquer agente dele.',
    descriptionEn: 'The bookings of the traveller, whichever of their agents made them.',
    answer: 'Uma página de reservas.',
    answerEn: 'A page of bookings.',
  },
  getBooking: {
    summaryEn: 'Reads a booking',
    description: 'Uma reserva do viajante. A de outra pessoa responde como uma que não existe.',
    descriptionEn: 'A booking of the traveller. Somebody else’s answers as one that does not exist.',
    answer: 'A reserva.',
    answerEn: 'The booking.',
  },
  changeBooking: {
    summaryEn: 'Changes flight, fare or passengers of a booking',
    description:
      'Muda só os membros enviados e calcula o preço de novo, à tarifa deste momento, prometido outra vez. Só o agente que criou a ' +
      'reserva a altera, e não depois que um pedido começou.',
    descriptionEn:
      'Changes only the members that are sent and prices the booking again, at the fare of this moment, promised anew. Only the ' +
      'agent that created the booking changes it, and not once an order has begun.',
    answer: 'A reserva como ficou.',
    answerEn: 'The booking as it is now.',
  },
  createMandate: {
    summaryEn: 'Creates a payment mandate',
    description:
      'Um teto de gasto, com validade e condições: nada é cobrado sem um. Onde o viajante quer ser perguntado, o ' +
      'mandato fica pending até que ele decida em approval.url.',
    descriptionEn:
      'A ceiling on spending, with a validity and constraints: nothing is charged without one. Where the traveller ' +
      'wants to be asked, the mandate is pending until they decide at approval.url.',
    answer: 'O mandato criado.',
    answerEn: 'The mandate that was created.',
  },
  listMandates: {
    summaryEn: 'Lists the traveller’s mandates, newest first',
    description:
      'Os mandatos do viajante, de qualquer agente dele, e em cap o limite total que ele deu ao agente que pergunta.',
    descriptionEn:
      'The mandates of the traveller, whichever of their agents has them, and in cap the total that they let the ' +
      'calling agent spend.',
    answer: 'Uma página de mandatos.',
    answerEn: 'A page of mandates.',
  },
  getMandate: {
    summaryEn: 'Reads a mandate',
    description: 'Quanto o mandato permite, quanto foi cobrado, quanto está separado e quanto resta.',
    descriptionEn: 'How much the mandate allows, how much was charged, how much is set aside and how much remains.',
    answer: 'O mandato.',
    answerEn: 'The mandate.',
  },
  getMandateEvents: {
    summaryEn: 'The statement of a mandate: what happened, in order',
    description:
      'Cada evento do mandato, do mais antigo ao mais novo, com o que restou depois dele. Os hashes encadeiam os ' +
      'eventos, e logIndex é o lugar de cada um no registro de transparência.',
    descriptionEn:
      'Each event of the mandate, oldest first, with what remained after it. The hashes chain the events, and ' +
      'logIndex is the place of each in the transparency log.',
    answer: 'Uma página de eventos.',
    answerEn: 'A page of events.',
  },
  revokeMandate: {
    summaryEn: 'Revokes a mandate',
    description:
      'Encerra o mandato e os pedidos que o estavam usando: depois da resposta, nada mais é cobrado. Repetir ' +
      'responde o mesmo.',
    descriptionEn:
      'Ends the mandate and the orders that were using it: after the answer nothing more is charged. Doing it again ' +
      'answers the same.',
    answer: 'O mandato, revogado.',
    answerEn: 'The mandate, revoked.',
  },
  placeOrder: {
    summaryEn: 'Orders a booking: charges it and issues the ticket',
    description:
      'Confere a reserva, separa o valor no mandato, cobra o cartão e emite o bilhete, nessa ordem. Depois de expiresAt da ' +
      'reserva vale o preço de agora, se não for mais alto; se for, 409 offer_expired. Com 402 ' +
      'payment_challenge_required o viajante confirma em challenge.url, e a mesma requisição, repetida, termina o ' +
      'pedido. Use uma Idempotency-Key para poder repetir sem comprar duas vezes.',
    descriptionEn:
      'Checks the booking, sets the amount aside in the mandate, charges the card and issues the ticket, in this ' +
      'order. After expiresAt of the booking the price of the moment counts, if it is no higher; else 409 offer_expired. On 402 payment_challenge_required the traveller confirms at challenge.url, and the same request sent ' +
      'again completes the order. Use an Idempotency-Key to be able to repeat it without buying twice.',
    answer: 'O pedido pago, com o bilhete.',
    answerEn: 'The order, paid, with its ticket.',
  },
  listOrders: {
    summaryEn: 'Lists the traveller’s orders, newest first',
    description: 'Os pedidos do viajante, feitos por qualquer agente dele, também os que falharam.',
    descriptionEn: 'The orders of the traveller, whichever of their agents placed them, those that failed included.',
    answer: 'Uma página de pedidos.',
    answerEn: 'A page of orders.',
  },
  getOrder: {
    summaryEn: 'Reads an order',
    description:
      'Como está o pedido: pending enquanto espera, paid com o bilhete, cancelled com o que voltou em refund, ou failed ' +
      'com o código do erro em failure.',
    descriptionEn:
      'How the order stands: pending while it waits, paid with its ticket, cancelled with what came back in refund, or ' +
      'failed with the error code in failure.',
    answer: 'O pedido.',
    answerEn: 'The order.',
  },
  quoteCancellation: {
    summaryEn: 'Quotes the cancellation of an order, and changes nothing',
    description:
      'Diz o que voltaria e o que ficaria retido, pelas condições com que o pedido foi comprado. A cotação vale até ' +
      'expiresAt: 15 minutos, ou menos, se antes disso a taxa muda ou o voo parte. Só o agente que comprou cancela.',
    descriptionEn:
      'Says what would come back and what would be kept, by the conditions that the order was bought on. The quote ' +
      'holds until expiresAt: 15 minutes, or less if the fee changes or the flight leaves before. Only the agent that bought cancels.',
    answer: 'A cotação.',
    answerEn: 'The quote.',
  },
  cancelOrder: {
    summaryEn: 'Cancels an order as quoted, and gives the money back',
    description:
      'Devolve o valor ao cartão, libera os assentos e devolve o limite ao mandato, se ele ainda vale. Repetir responde ' +
      'o mesmo. Se a cotação venceu, 409 cancellation_expired traz outra em details.cancellation.',
    descriptionEn:
      'Gives the money back to the card, frees the seats and gives the limit back to the mandate, if that is still in ' +
      'force. Doing it again answers the same. If the quote is over, 409 cancellation_expired has another in details.cancellation.',
    answer: 'O cancelamento, confirmado.',
    answerEn: 'The cancellation, confirmed.',
  },
  getCreditNote: {
    summaryEn: 'Reads the credit note of a cancelled order',
    description: 'A nota de crédito de um pedido cancelado, também se nada voltou: os mesmos bytes a cada leitura.',
    descriptionEn: 'The credit note of a cancelled order, also where nothing came back: the same bytes at every read.',
    answer: 'A nota de crédito.',
    answerEn: 'The credit note.',
  },
  getReceipt: {
    summaryEn: 'Reads the receipt of an order',
    description: 'O recibo de um pedido pago: os mesmos bytes a cada leitura. Quem não pagou não tem recibo.',
    descriptionEn: 'The receipt of a paid order: the same bytes at every read. An order that is not paid has none.',
    answer: 'O recibo.',
    answerEn: 'The receipt.',
  },
  getTicket: {
    summaryEn: 'Reads the ticket as PDF',
    description:
      'O bilhete de um pedido pago em PDF: uma página por passageiro, com o localizador e um código QR de ' +
      '{site_url}/verificar#<bilhete>. Os nomes só para o agente que os informou, e para o viajante.',
    descriptionEn:
      'The ticket of a paid order as PDF: a page a passenger, with the locator and a QR code of ' +
      '{site_url}/verificar#<ticket>. Names only for the agent that gave them, and for the traveller.',
    answer: 'O bilhete, em PDF.',
    answerEn: 'The ticket, as PDF.',
  },
  getTicketCalendar: {
    summaryEn: 'Reads the flight of the ticket as an event of a calendar',
    description:
      'O voo de um pedido pago como evento de calendário (RFC 5545), no fuso da partida. Só se o voo tem data.',
    descriptionEn:
      'The flight of a paid order as an event of a calendar (RFC 5545), in the zone of its departure. Only if the flight has a date.',
    answer: 'O evento, como texto.',
    answerEn: 'The event, as text.',
  },
  getReceiptProof: {
    summaryEn: 'Proof that the payment of the order is in the transparency log',
    description:
      'Um arquivo .tlog-proof (c2sp.org/tlog-proof) do evento OrderPaid, que a página {site_url}/verificar confere ' +
      'sem rede. Responde 503 com Retry-After por cerca de um segundo, até que o evento esteja selado.',
    descriptionEn:
      'A .tlog-proof file (c2sp.org/tlog-proof) of the event OrderPaid, which the page {site_url}/verificar checks ' +
      'without a network. Answers 503 with Retry-After for about a second, until the event is sealed.',
    answer: 'A prova, como texto.',
    answerEn: 'The proof, as text.',
  },
  callTool: {
    summaryEn: 'Calls a tool of the WebMCP manifest',
    description:
      'As ferramentas públicas não precisam de token; as demais, de um token com os escopos que o manifesto declara. ' +
      'As que criam aceitam uma Idempotency-Key.',
    descriptionEn:
      'Public tools need no token; the others need one with the scopes that the manifest declares. Those that create ' +
      'something take an Idempotency-Key.',
    answer:
      'CallToolResult (MCP). Recusas de negócio (402, 409, 422) vêm aqui, com isError e status. Avisos sobre nomes ' +
      'desconhecidos vêm em structuredContent.warnings.',
    answerEn:
      'CallToolResult (MCP). Refusals of the business (402, 409, 422) come here, with isError and status. Warnings ' +
      'of unknown names come in structuredContent.warnings.',
  },
  listEvents: {
    summaryEn: 'Reads what happened, or follows it live',
    description:
      'O que aconteceu com os pedidos, mandatos e acessos deste agente, na ordem do registro, por 30 dias; só os tipos que o token permite. ' +
      'Uma página diz em nextCursor de onde continuar. Com Accept: text/event-stream, um fluxo que continua de Last-Event-ID e acaba com o token.',
    descriptionEn:
      'What happened to the orders, mandates and access of this agent, in the order of the log, for 30 days; only the types that the token allows. ' +
      'A page says in nextCursor where to go on. With Accept: text/event-stream, a stream that goes on from Last-Event-ID and ends with the token.',
    answer: 'Uma página de eventos, ou um fluxo que fica aberto.',
    answerEn: 'A page of events, or a stream that stays open.',
  },
  createWebhook: {
    summaryEn: 'Creates a webhook',
    description:
      'Um endereço em que o agente é avisado do que acontece (Standard Webhooks). Antes da resposta ele recebe um POST assinado ' +
      'com type verification e um challenge, e deve responder 2xx com { challenge } em JSON. Até dez por viajante e agente; types ' +
      'que o token não permite são 403. O segredo aparece só aqui.',
    descriptionEn:
      'An address at which the agent is told what happens (Standard Webhooks). Before the answer it is sent a signed POST with ' +
      'type verification and a challenge, and has to answer 2xx with { challenge } in JSON. Up to ten a traveller and agent; ' +
      'types that the token does not allow are 403. The secret is shown here alone.',
    answer: 'O webhook criado, com o segredo ou a chave pública.',
    answerEn: 'The webhook that was created, with its secret or public key.',
  },
  listWebhooks: {
    summaryEn: 'Lists the webhooks of the agent',
    description: 'Os webhooks deste agente para este viajante, na ordem em que foram criados.',
    descriptionEn: 'The webhooks of this agent for this traveller, in the order they were created.',
    answer: 'Os webhooks.',
    answerEn: 'The webhooks.',
  },
  getWebhook: {
    summaryEn: 'Reads a webhook',
    description: 'Um webhook deste agente. O de outro responde como um que não existe.',
    descriptionEn: 'A webhook of this agent. Another’s answers as one that does not exist.',
    answer: 'O webhook.',
    answerEn: 'The webhook.',
  },
  changeWebhook: {
    summaryEn: 'Changes, pauses or resumes a webhook',
    description:
      'Muda só os membros enviados. Um endereço novo, e um webhook que volta com enabled: true, são verificados antes; o que ' +
      'ficou guardado é enviado então.',
    descriptionEn:
      'Changes only the members that are sent. A new address, and a webhook that comes back with enabled: true, are verified ' +
      'before; what was kept is sent then.',
    answer: 'O webhook como ficou.',
    answerEn: 'The webhook as it is now.',
  },
  deleteWebhook: {
    summaryEn: 'Deletes a webhook',
    description: 'Nada mais é enviado a ele, e as suas entregas são apagadas.',
    descriptionEn: 'Nothing more is sent to it, and its deliveries are deleted.',
    answer: 'Foi apagado.',
    answerEn: 'It was deleted.',
  },
  rotateWebhookSecret: {
    summaryEn: 'Replaces the secret or key of a webhook',
    description: 'Cria outro segredo ou outra chave. O anterior assina ao lado do novo por 24 horas.',
    descriptionEn: 'Makes another secret or key. The one before signs beside the new one for 24 hours.',
    answer: 'O segredo novo, mostrado só agora, ou a chave pública nova.',
    answerEn: 'The new secret, shown only now, or the new public key.',
  },
  testWebhook: {
    summaryEn: 'Sends a test message to a webhook',
    description:
      'Envia uma mensagem assinada de type test e diz o que foi respondido. Se ela chega, o que espera é tentado de novo na hora.',
    descriptionEn:
      'Sends a signed message of type test and says what was answered. If it arrives, what waits is tried again at once.',
    answer: 'O que foi respondido.',
    answerEn: 'What was answered.',
  },
  listWebhookDeliveries: {
    summaryEn: 'Lists the deliveries of a webhook',
    description:
      'As últimas vinte que chegaram na primeira tentativa, e por 30 dias as outras: as que esperam, as que chegaram depois e ' +
      'as que foram abandonadas após três dias.',
    descriptionEn:
      'The last twenty that arrived at the first try, and for 30 days the others: those that wait, those that arrived later ' +
      'and those that were given up after three days.',
    answer: 'As entregas.',
    answerEn: 'The deliveries.',
  },
  resendWebhookDelivery: {
    summaryEn: 'Sends an event to a webhook again',
    description: 'Envia de novo, na hora, um evento da lista de entregas, tenha ele chegado ou não.',
    descriptionEn: 'Sends an event of the list of deliveries again at once, whether it has arrived or not.',
    answer: 'A entrega, à espera.',
    answerEn: 'The delivery, waiting.',
  },
  replayWebhook: {
    summaryEn: 'Sends again all that came after a cursor',
    description: 'Volta a um cursor dos últimos 30 dias e envia de novo, em ordem, tudo o que veio depois dele.',
    descriptionEn: 'Goes back to a cursor of the last 30 days and sends again, in order, all that came after it.',
    answer: 'O webhook.',
    answerEn: 'The webhook.',
  },
  getAgentTraffic: {
    summaryEn: 'Reads the aggregated traffic of agents',
    description:
      'Só contagens: nenhum titular, pedido, endereço ou valor. Também em text/csv e no formato do Prometheus.',
    descriptionEn:
      'Counts only: no holder, order, address or amount. Also as text/csv and in the format of Prometheus.',
    answer: 'As contagens do período.',
    answerEn: 'The counts of the period.',
  },
  streamAgentTraffic: {
    summaryEn: 'Follows the traffic live',
    description:
      'Server-sent events: `traffic`, com os pontos deste minuto e do anterior, sempre que mudam. Conexões são ' +
      'limitadas e duram até uma hora.',
    descriptionEn:
      'Server-sent events: `traffic`, with the points of this minute and the one before, whenever they change. ' +
      'Connections are limited and last up to an hour.',
    answer: 'Um fluxo de eventos, que fica aberto.',
    answerEn: 'A stream of events, which stays open.',
  },
};

/** A group of operations: its name is stable, its title and texts are for people. */
type TagText = Readonly<Record<'title' | 'titleEn' | 'description' | 'descriptionEn', string>>;

/** The groups of operations, in the order in which a purchase meets them. */
export const TAG_TEXTS: Readonly<Record<string, TagText>> = {
  flights: {
    title: 'Voos',
    titleEn: 'Flights',
    description: 'Buscar voos e comparar tarifas. Não precisa de token.',
    descriptionEn: 'Searching flights and comparing fares. Takes no token.',
  },
  bookings: {
    title: 'Reservas',
    titleEn: 'Bookings',
    description: 'O que se quer comprar: voo, tarifa e passageiros, com o total. Uma reserva não segura assentos.',
    descriptionEn: 'What is to be bought: flight, fare and passengers, with the total. A booking holds no seats.',
  },
  mandates: {
    title: 'Mandatos',
    titleEn: 'Mandates',
    description: 'Quanto o agente pode gastar, até quando e em quê. Nada é cobrado sem um mandato em vigor.',
    descriptionEn:
      'How much the agent may spend, until when and on what. Nothing is charged without a mandate in force.',
  },
  orders: {
    title: 'Pedidos',
    titleEn: 'Orders',
    description: 'A compra: cobra o cartão sob um mandato e emite o bilhete, o recibo e a sua prova.',
    descriptionEn: 'The purchase: charges the card under a mandate and issues the ticket, the receipt and its proof.',
  },
  events: {
    title: 'Eventos',
    titleEn: 'Events',
    description: 'O que aconteceu, assim que acontece: por página ou ao vivo, e de onde se parou.',
    descriptionEn: 'What happened, as soon as it does: by page or live, and from where one stopped.',
  },
  webhooks: {
    title: 'Webhooks',
    titleEn: 'Webhooks',
    description: 'Endereços do agente em que ele é avisado, com assinatura e até que chegue.',
    descriptionEn: 'Addresses of the agent at which it is told, signed, and until it arrives.',
  },
  webmcp: {
    title: 'Ferramentas',
    titleEn: 'Tools',
    description: 'As mesmas operações como ferramentas de agentes, com um só endereço.',
    descriptionEn: 'The same operations as tools for agents, at a single address.',
  },
  observability: {
    title: 'Tráfego de agentes',
    titleEn: 'Agent traffic',
    description: 'O que agentes fazem aqui, em contagens públicas.',
    descriptionEn: 'What agents do here, as public counts.',
  },
  health: {
    title: 'Disponibilidade',
    titleEn: 'Availability',
    description: 'Se o processo está vivo e se pode atender.',
    descriptionEn: 'Whether the process is alive, and whether it can work.',
  },
};

export const API_TEXT = {
  description:
    'API pela qual agentes autônomos compram voos, até a alçada que o viajante lhes deu. Valores são inteiros em centavos, ' +
    'instantes são RFC 3339 em UTC e ids são UUIDs. Todo erro tem um código estável em error e, em doc_url, a página que o ' +
    'explica. Uma compra costuma seguir: busca, comparação, reserva, mandato, pedido, recibo.',
  en:
    'The API through which autonomous agents buy flights, up to the limit that the traveller gave them. Amounts are integers ' +
    'in cents, instants are RFC 3339 in UTC and ids are UUIDs. Every error has a stable code in error and, in doc_url, the ' +
    'page that explains it. A purchase usually runs: search, quote, booking, mandate, order, receipt.',
};

/** What schemas, their members and parameters say, in English: by name, or by the schema or operation that it stands in. */
export const ENGLISH: Readonly<Partial<Record<string, string>>> = {
  abandoned: 'The agent left before the answer (499).',
  acceptUpTo:
    'The most that the order may cost. After expiresAt of the booking, also above the promised total; more is never charged.',
  agent: 'Only calls of this family of agents.',
  agentFunnel: 'The filter operation does not matter.',
  agents:
    'Distinct agents: by client; without a token, by the site whose signature is right, else by address and family of each day. The filter operation does not matter.',
  allAgents: 'Whether all agents of the traveller are paused, not this mandate alone.',
  allowed: 'What that condition allows.',
  amount: 'Amount in cents.',
  approval: 'Only while it waits for the traveller to decide.',
  arguments: 'The arguments, as the inputSchema of the tool has them.',
  arrivalDayOffset: 'Days after the day of departure.',
  arrivalTime: 'Local time of arrival, HH:mm.',
  arrivesSameDay: 'Arrives on the day of departure.',
  available: 'How much is left for new mandates.',
  baggage: 'Included: no baggage; checked; checked, and a seat.',
  bestByConstraints:
    'The cheapest that arrives on the same day with checked baggage, within the budget or not; null: none.',
  base: 'The fare without the taxes.',
  'Booking.currency': 'Currency of the total.',
  'Booking.expiresAt':
    'Until when the total is promised, not the seats; null: without an end, or there is no price yet.',
  'Booking.metadata': 'The texts that this agent noted here; empty to any other.',
  bucket:
    'Interval of each point, in UTC. Minutes are kept for 48 hours, hours for 90 days, days for ever. A period is up to 48 hours by the minute, 90 days by the hour or 366 days by the day; with operation or agent, up to 6 hours by the minute or 7 days by the hour. Without it, by the period.',
  birthDate: 'Under 2 on the day of the flight, they need an adult of their own; without a date, an adult.',
  budget: 'Budget in cents, for all passengers.',
  budgetDelta: 'Budget less total; negative where the total is above the budget.',
  cap: 'Cap of the agent that asks; null: there is none.',
  'Cap.limit': 'The cap that the traveller put on this agent.',
  'CancellationFee.amount': 'Or an amount a passenger, in cents, never above the fare.',
  'CancellationFee.currency': 'Currency of that amount.',
  cancellation: 'The first row that still applies counts; where none does, the fare is lost.',
  capsRefused: 'Mandates refused for the cap of their agent.',
  chargesApproved: 'Charges that were within the mandate and captured.',
  clientId: 'The agent that acted; null: the service itself.',
  code: 'Its exact code, the `fareCode` of bookings.',
  codesReplayed: 'Authorization codes that were presented again.',
  conditions: 'What comes back where the trip is cancelled.',
  'Booking.conditions':
    'What comes back where the trip is cancelled; promised as the total is. null: there is no price yet.',
  'Conditions.description': 'The same in words, to be shown to the traveller before buying.',
  'Order.conditions': 'What comes back where the trip is cancelled; null: nothing.',
  constraint: 'The condition of the mandate that the purchase does not meet.',
  constraints: 'What else the mandate asks of a purchase; unknown names are refused.',
  consumed: 'Charged already, less what came back.',
  contact: 'How to reach who flies. Only the agent that says it and the traveller see it.',
  content: 'The same as structuredContent, as text.',
  count: 'How many items match, up to 10,000 (flights: all).',
  countIsExact: 'There, and false then, where more than 10,000 match.',
  'CreateBooking.fareCode': 'Code of the fare, exactly as the flight has it.',
  createdFrom: 'Only what was created at this instant or later (RFC 3339).',
  createdTo: 'Only what was created before this instant (RFC 3339).',
  currency: 'Currency of the prices.',
  cursor: 'The nextCursor of the page before.',
  declined: 'Who flies did not want to say how to be reached.',
  date: 'Local date of departure; without it, the next departure with seats.',
  dateFrom:
    'With dateTo, in the place of date: the first date. Up to 31 days, with from, to or a flight number in q; with sort=price the cheapest day comes first.',
  dateTo: 'With dateFrom: the last date.',
  'ChangeBooking.date': 'Local date of departure; without it, that of the booking.',
  departureAt: 'The instant of departure; null: the flight has no date, or the purchase is of before it was noted.',
  departureDate: 'Local date of departure; null: the flight has no date.',
  departureTime: 'Local time of departure, HH:mm.',
  durationMin: 'Duration in minutes.',
  error: 'The code of the error; it does not change.',
  errorRate: 'errors ÷ requests; 0 without calls.',
  errors: 'Status 400 or above: the sum of refused, limited, failed and abandoned.',
  expectedTotal: 'Where the total is another, the order is refused.',
  expiresAt: 'Until when they may decide.',
  expiry: 'MM/YY, MM/YYYY or YYYY-MM.',
  failed: 'Failures of ours: status 5xx.',
  failure: 'Only of an order that failed: the code of the error that says why.',
  familiesBelowMinimum:
    'Families of fewer than 5 agents, in the day or the period: their calls count as other. 0 with the agent of a family. The filter operation does not matter.',
  family: 'Families of fewer than 5 agents in the day (UTC) or the period count as other.',
  fareCode: 'The `fareCode` of bookings.',
  fee: 'What does not come back.',
  'FareQuote.budget': 'The budget that was given, in the currency of the flight.',
  field: 'The name that is not known; never its value.',
  fitsBudget: 'The total is within the budget.',
  'Fare.base': 'The price without the taxes, in cents.',
  'Fare.taxes': 'Boarding taxes, within the price, in cents.',
  'Flight.departureAt': 'The instant of departure; null: the flight has no date.',
  flightId: 'Identifies the departure; it has no form.',
  'Flight.flightNumber': 'Identifies the flight in paths.',
  'Flight.from': 'Airport of departure (IATA).',
  'Flight.to': 'Airport of arrival (IATA).',
  'Flight.url': 'Public page of the flight.',
  flightNumber: 'Number of the flight; case, blanks and hyphens do not matter.',
  format: 'Format of the answer; without it, what Accept asks for.',
  from: 'Airport of departure: IATA code, name or city; case and accents do not matter.',
  fromCity: 'City of departure; null: unknown.',
  'AgentEventData.clientId': 'The agent, by its client_id.',
  'AgentEventData.revokedAt': 'Since when nothing is allowed to it any more.',
  'ChallengeEventData.expiresAt': 'Until when the traveller can decide.',
  'ChallengeEventData.mandateId': 'The mandate that pays.',
  'ChallengeEventData.status': 'What the traveller had said by then.',
  'ChallengeEventData.url': 'The page on which the traveller decides.',
  'FlightEventData.orderIds': 'The orders of this agent on this flight.',
  'OrderEventData.mandateId': 'The mandate that pays.',
  'OrderEventData.tickets': 'One ticket a passenger, once paid.',
  'Event.data': 'The resource as it was then; its form for each type is at /events/schemas/{type}.json.',
  'Event.id': 'Always the same for the same event.',
  'Event.timestamp': 'When it happened.',
  'Event.cursor': 'Where to go on; opaque.',
  'EventPage.items': 'From the oldest to the newest.',
  'EventPage.nextCursor': 'Where to go on, also where there is no more for now; null: nothing has happened yet.',
  'listEvents.after': 'A cursor: only what happened after it. Without it, from the oldest that is kept.',
  'listEvents.types': 'Only these types, separated by commas.',
  'listEvents.limit': 'Events on a page.',
  funnel: 'The filter operation does not matter.',
  'getAgentTraffic.from': 'Beginning; without it, 24 hours before to.',
  'getAgentTraffic.to': 'End; without it, now.',
  grantedBy: 'Who decides to open it: the traveller (has yet to while it is `pending`) or, within the cap, the agent.',
  hasCheckedBag: 'Includes checked baggage.',
  hash: 'SHA-256 that chains the event to the one before.',
  'Idempotency-Key':
    'Up to 255 visible ASCII characters. For 24 hours the same key with the same body gets the first answer again (with the header Idempotent-Replayed: true), and nothing is created or charged twice.',
  in: 'Where it is: in the body, the query or the arguments of the tool.',
  isError: 'Whether it is a refusal of the business (402, 409 or 422).',
  items: 'A page of the items.',
  lagSeconds: 'Seconds since the oldest event that it still lacks; 0: none.',
  limit: 'Items on a page.',
  limited: 'Limited: status 429.',
  line: 'What the total is made of: fare and taxes.',
  locator: 'A short name of the paid order, to be said or written; by itself it opens nothing.',
  logIndex: 'Place of the event in the transparency log ({site_url}/tlog); null for about a second.',
  'Mandate.constraints': 'What else the mandate asks of a purchase; empty: nothing.',
  'Mandate.limit': 'Ceiling of what may be spent.',
  'Mandate.metadata': 'The texts that this agent noted here; empty to any other.',
  'MandateConstraints.from': 'Airports of departure.',
  'MandateConstraints.maxOrders': 'The most orders, paid or under way.',
  'MandateConstraints.maxPricePerSeat': 'The most that a seat may cost.',
  'MandateConstraints.to': 'Airports of arrival.',
  'MandateOrderTotal.max': 'At most.',
  'MandateOrderTotal.min': 'At least.',
  'MandateEvent.remaining': 'Available after the event.',
  'MandateRefusal.from': 'Airport of departure.',
  'MandateRefusal.message': 'What was refused and why, in a sentence.',
  'MandateRefusal.to': 'Airport of arrival.',
  'MandateRefusal.unitPrice': 'Price of one seat.',
  mandates: 'Of all agents and operations, whatever the filter.',
  maxOrders: 'The most orders.',
  maxPricePerSeat: 'The most that a seat may cost, in the currency of the ceiling.',
  message: 'The suggestion for people.',
  metadata:
    'Free texts of the agent, which it alone sees: up to 50, with names of up to 40 characters. An empty text deletes its name. No passwords or card data.',
  nextCursor: 'Cursor of the next page; null on the last.',
  notFollowed: 'Calls of all agents that were counted before each agent was followed: they are in no stage of it.',
  operation: 'Only calls of this operation.',
  options: 'All fares, by total and then code.',
  orderTotal: 'What each order costs in all, with taxes.',
  'OrderTotalBounds.max': 'At most; in the currency of the ceiling.',
  'OrderTotalBounds.min': 'At least; in the currency of the ceiling.',
  'Cancellation.expiresAt': 'Until when the quote holds; only while it is not confirmed.',
  'Cancellation.fee': 'What is kept.',
  'Cancellation.reason': 'Within 24 hours of buying; what the fare says; or the airline cancelled the flight.',
  'CreditNote.fee': 'What is kept.',
  'CreditNote.line': 'What was paid: fare and taxes.',
  'CreditNote.refund': 'What came back.',
  'Order.refund': 'Only of a cancelled order: what came back.',
  'OrderRefund.amount': 'What came back.',
  'OrderRefund.fee': 'What was kept.',
  refund: 'What comes back.',
  refundTo: 'The card that gets the money back.',
  refunded: 'What came back of cancelled orders; it may be spent again.',
  refundedAt: 'When the money came back; only once confirmed.',
  'Order.metadata': 'The texts that this agent noted here; empty to any other.',
  p50Ms: 'Milliseconds, with a relative error of up to 2 %; null without calls.',
  p95Ms: 'Milliseconds, with a relative error of up to 2 %; null without calls.',
  p99Ms: 'Milliseconds, with a relative error of up to 2 %; null without calls.',
  passengers: 'Number of passengers.',
  path: 'Relative to the address of the API.',
  percent: 'A part of the fare without the taxes, per cent.',
  payments: 'Of all agents and operations, whatever the filter.',
  pollAfterSeconds: 'Seconds after which to ask again.',
  Prefer:
    'handling=strict refuses what the operation does not know with 422, in place of ignoring it with a warning (RFC 7240).',
  previousHash: 'The hash of the event before in this mandate; of the first, 64 zeros.',
  price: 'Price for a passenger, in cents of the currency of the flight.',
  prices: 'Fares of the flight.',
  q: 'City of destination, code or name of an airport, or number of a flight, with or without its letters; case and accents do not matter.',
  query: 'The parameters of the search that is suggested.',
  reason: 'Why a charge was refused.',
  reasons: 'What the fare lacks; empty: nothing.',
  refreshTokensReused: 'Refresh tokens that were presented after their exchange.',
  refusal: 'The charge that the mandate refused; null: another event.',
  refused: 'Refused: status 4xx but 429 and 499.',
  remaining: 'Still available.',
  remainingSeconds: 'Seconds to the end of its validity; 0 after it.',
  requests: 'Calls that were answered.',
  reserved: 'Set aside for orders under way.',
  revision: 'Place of the event in the mandate; the first is 0.',
  scope: 'What the mandate covers; a charge takes order:write and payment:execute.',
  searched: 'Of these, those that searched in the period as well.',
  'SearchSuggestion.count': 'How many flights it finds.',
  seats: 'Seats still on sale.',
  security: 'Of all agents and operations, whatever the filter.',
  series: 'A point for each bucket. With agent, only the buckets in which the family had 5 agents or more.',
  signatures: 'Of all agents and operations, whatever the filter.',
  sort: 'Order: time of departure, duration or lowest price.',
  startedAt: 'Since when this process serves.',
  stopped: 'Present if it has stopped at an event that this program cannot read.',
  structuredContent:
    'What the tool answers, in the form of its outputSchema; or the refusal, with error, status and doc_url.',
  suggestion: 'The nearest name that is known, if there is one.',
  suggestions: 'Only where nothing was found: searches that find flights, the likeliest first.',
  ticketCodes: 'One a passenger; in an order of before, one for all.',
  ticketId: 'The order.',
  taxes: 'Boarding taxes.',
  taxesRefundable: 'The taxes come back.',
  until: 'Until how long before departure the row applies: an ISO 8601 duration in days, hours and minutes.',
  withdrawal: 'Bought 7 days or more before departure, everything comes back within 24 hours.',
  tickets: 'One ticket a passenger, once paid; in an order of before, one for all.',
  to: 'Airport of arrival: IATA code, name or city; case and accents do not matter.',
  toCity: 'City of arrival.',
  tool: 'The name of the tool, as in the manifest.',
  total: 'Price for all passengers.',
  traveller: 'Who flies with it; null where nobody was named, and to another agent.',
  travellers: 'Who flies, one a passenger. Only the agent that says it and the traveller see it.',
  TrafficAgentFunnel: 'The same agents, from search to receipt.',
  'TrafficAgentStep.agents': 'Distinct agents with a call of the stage that succeeded.',
  TrafficFunnel: 'Calls of each stage that succeeded.',
  TrafficSignatures: 'Calls that their agent signed (Web Bot Auth), by what came of checking.',
  unitPrice: 'Price for a passenger.',
  unverified: 'Could not be checked; they count as unsigned.',
  url: 'The page on which the traveller decides.',
  used: 'Open mandates, and what was spent since the traveller set the first cap.',
  verified: 'Right by a key that the site of the agent publishes.',
  version: 'Version of the program.',
  'Warning.message': 'The same for people.',
  warnings: 'Unknown names of the request, which were ignored. Absent where there are none.',
  'ChangeWebhook.enabled':
    'false: nothing is sent until true, which sends what was kept; the address is verified again.',
  'ChangeWebhook.url': 'Another address, which is verified before.',
  'CreateWebhook.description': 'For whoever reads it in the list.',
  'CreateWebhook.signature': 'How deliveries are signed: by a secret (v1) or by an Ed25519 key (v1a).',
  'CreateWebhook.types': 'Of which events to tell; without it, all that the scopes of the token allow.',
  'CreateWebhook.url': 'An https address that answers the verification.',
  'ReplayWebhook.after': 'The cursor of an event: all that came after it is sent again.',
  'WebhookDelivery.attempts': 'How often it was tried.',
  'WebhookDelivery.eventId': 'The id of the event, and the header webhook-id.',
  'WebhookDelivery.nextAt': 'When it is tried again; null in pending: after the one that waits before it.',
  'WebhookDelivery.responseStatus': 'The status of the last answer; null: there was none.',
  'WebhookDeliveryList.items': 'Up to a hundred, of the newest event to the oldest.',
  'WebhookList.items': 'All of them, up to ten.',
  'Webhook.disabledReason': 'Why nothing is sent: three days of failures, a 410, the agent itself or the operator.',
  'Webhook.failingSince': 'Since when no delivery has arrived; null: the last one did.',
  'WebhookTest.delivered': 'Whether the test message was answered with 2xx.',
  'WebhookTest.responseStatus': 'The status of the answer; null: there was none.',
  publicKey: 'The public key that verifies (whpk_). Of ed25519.',
  publicKeys: 'The public keys that verify deliveries now; of a secret, none.',
  secret: 'The secret that signs (whsec_), shown only now. Of hmac-sha256.',
  'CreatedWebhook.disabledReason':
    'Why nothing is sent: three days of failures, a 410, the agent itself or the operator.',
  'CreatedWebhook.failingSince': 'Since when no delivery has arrived; null: the last one did.',
  wrong: 'Wrong.',
  'AvailableFare.name': 'The name of the fare.',
  closedAt: 'When its sale ended.',
  details: 'The wrong fields, where the refusal is of a field.',
  doc_url: 'The page that explains the error: what it means, why it happens and what to do.',
  endsAt: 'When it is whole again.',
  'Error.details': 'What exactly was wrong; its form depends on the code.',
  'InvalidFareError.details':
    'The fares that the flight has, where it has not the one that was named; or the wrong fields.',
  'InvalidSignatureError.reason': 'Why the signature is not right.',
  'OrderNotCancellableError.reason': 'Why the order cannot be cancelled.',
  'MandateConstraintViolatedError.value': 'What the condition allows.',
  'OfferExpiredError.conditions': 'Only where less comes back from a cancellation than was promised.',
  'OfferExpiredError.expiresAt': 'Until when the former total was promised.',
  oldest: 'The oldest cursor that still holds.',
  openMandates: 'How many mandates are open.',
  'RateLimitedError.limit': 'The limit that this is about; a number is how many there may be.',
  requestId: 'Identifies the request in the log of the service; it is also the header X-Request-Id.',
  'ServiceUnavailableError.missing': 'What the process lacks.',
  'UnknownMemberError.details': 'The unknown names.',
};
