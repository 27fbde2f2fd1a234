/** What the document says of one operation beside its summary, in Portuguese, and all of it in English. */
export interface OperationText {
  readonly description: string;
  readonly answer: string;
  readonly en: { readonly summary: string; readonly description: string; readonly answer: string };
}

/** The texts of every operation, by its id. */
export const OPERATION_TEXTS: Readonly<Record<string, OperationText>> = {
  getHealth: {
    description: 'Diz que o processo está vivo. Se ele pode atender, diz GET /health/ready.',
    answer: 'O processo está vivo.',
    en: {
      summary: 'Checks that the service is alive',
      answer: 'The process is alive.',
      description: 'Says that the process is alive. Whether it can work is said by GET /health/ready.',
    },
  },
  getReadiness: {
    description:
      'Para operadores e proxies: 200 quando o processo pode atender, 503 com o que falta em details.missing quando não pode.',
    answer: 'O processo pode atender.',
    en: {
      summary: 'Says whether this process can work, or what it lacks',
      answer: 'The process can work.',
      description:
        'For operators and proxies: 200 where the process can work, 503 with what it lacks in details.missing where it cannot.',
    },
  },
  searchFlights: {
    description:
      'Lista os voos à venda, ou busca entre eles por cidade, aeroporto ou número. Onde nada é encontrado, suggestions traz ' +
      'buscas parecidas que encontram. Não precisa de token.',
    answer: 'Uma página de voos.',
    en: {
      summary: 'Lists or searches flights',
      answer: 'A page of flights.',
      description:
        'Lists the flights on sale, or searches them by city, airport or number. Where nothing is found, suggestions has ' +
        'similar searches that find something. Takes no token.',
    },
  },
  getFlight: {
    description:
      'O voo com suas tarifas, em centavos por passageiro, e os assentos ainda à venda. Não precisa de token.',
    answer: 'O voo.',
    en: {
      summary: 'Reads a flight with its fares',
      answer: 'The flight.',
      description:
        'The flight with its fares, in cents for each passenger, and the seats still on sale. Takes no token.',
    },
  },
  quoteFares: {
    description:
      'O preço de cada tarifa para todos os passageiros, se cabe no orçamento e o que lhe falta. bestByConstraints é a mais ' +
      'barata que chega no mesmo dia com bagagem despachada. Não precisa de token.',
    answer: 'As tarifas, comparadas.',
    en: {
      summary: 'Compares the fares of a flight under a budget',
      answer: 'The fares, compared.',
      description:
        'The price of each fare for all passengers, whether it fits the budget and what it falls short of. bestByConstraints ' +
        'is the cheapest that arrives the same day with a checked bag. Takes no token.',
    },
  },
  createBooking: {
    description:
      'Guarda o voo, a tarifa e os passageiros escolhidos, com o total que será cobrado. Nada é obrigatório: sem voo ou ' +
      'tarifa é um rascunho. Uma reserva não segura assentos; o pedido é que segura.',
    answer: 'A reserva criada.',
    en: {
      summary: 'Creates a booking',
      answer: 'The booking that was created.',
      description:
        'Keeps the chosen flight, fare and passengers, with the total that will be charged. Nothing is required: without a ' +
        'flight or a fare it is a draft. A booking holds no seats; an order does.',
    },
  },
  listBookings: {
    description: 'As reservas do viajante, feitas por qualquer agente dele.',
    answer: 'Uma página de reservas.',
    en: {
      summary: 'Lists the traveller’s bookings, newest first',
      answer: 'A page of bookings.',
      description: 'The bookings of the traveller, whichever of their agents made them.',
    },
  },
  getBooking: {
    description: 'Uma reserva do viajante. A de outra pessoa responde como uma que não existe.',
    answer: 'A reserva.',
    en: {
      summary: 'Reads a booking',
      answer: 'The booking.',
      description: 'A booking of the traveller. Somebody else’s answers as one that does not exist.',
    },
  },
  changeBooking: {
    description:
      'Muda só os membros enviados e calcula o preço de novo, à tarifa deste momento. Só o agente que criou a reserva a ' +
      'altera, e não depois que um pedido começou.',
    answer: 'A reserva como ficou.',
    en: {
      summary: 'Changes flight, fare or passengers of a booking',
      answer: 'The booking as it is now.',
      description:
        'Changes only the members that are sent and prices the booking again, at the fare of this moment. Only the agent that ' +
        'created the booking changes it, and not once an order has begun.',
    },
  },
  createMandate: {
    description:
      'Um teto de gasto, com validade e condições: nada é cobrado sem um. Onde o viajante quer ser perguntado, o mandato fica ' +
      'pending até que ele decida em approval.url.',
    answer: 'O mandato criado.',
    en: {
      summary: 'Creates a payment mandate',
      answer: 'The mandate that was created.',
      description:
        'A ceiling on spending, with a validity and constraints: nothing is charged without one. Where the traveller wants to ' +
        'be asked, the mandate is pending until they decide at approval.url.',
    },
  },
  listMandates: {
    description:
      'Os mandatos do viajante, de qualquer agente dele, e em cap o limite total que ele deu ao agente que pergunta.',
    answer: 'Uma página de mandatos.',
    en: {
      summary: 'Lists the traveller’s mandates, newest first',
      answer: 'A page of mandates.',
      description:
        'The mandates of the traveller, whichever of their agents has them, and in cap the total that they let the calling agent spend.',
    },
  },
  getMandate: {
    description: 'Quanto o mandato permite, quanto foi cobrado, quanto está separado e quanto resta.',
    answer: 'O mandato.',
    en: {
      summary: 'Reads a mandate',
      answer: 'The mandate.',
      description: 'How much the mandate allows, how much was charged, how much is set aside and how much remains.',
    },
  },
  getMandateEvents: {
    description:
      'Cada evento do mandato, do mais antigo ao mais novo, com o que restou depois dele. Os hashes encadeiam os eventos, e ' +
      'logIndex é o lugar de cada um no registro de transparência.',
    answer: 'Uma página de eventos.',
    en: {
      summary: 'The statement of a mandate: what happened, in order',
      answer: 'A page of events.',
      description:
        'Each event of the mandate, oldest first, with what remained after it. The hashes chain the events, and logIndex is ' +
        'the place of each in the transparency log.',
    },
  },
  revokeMandate: {
    description:
      'Encerra o mandato e os pedidos que o estavam usando: depois da resposta, nada mais é cobrado. Repetir responde o mesmo.',
    answer: 'O mandato, revogado.',
    en: {
      summary: 'Revokes a mandate',
      answer: 'The mandate, revoked.',
      description:
        'Ends the mandate and the orders that were using it: after the answer nothing more is charged. Doing it again answers the same.',
    },
  },
  placeOrder: {
    description:
      'Confere a reserva, separa o valor no mandato, cobra o cartão e emite o bilhete, nessa ordem. Com 402 ' +
      'payment_challenge_required o viajante confirma em challenge.url, e a mesma requisição, repetida, termina o pedido. Use ' +
      'uma Idempotency-Key para poder repetir sem comprar duas vezes.',
    answer: 'O pedido pago, com o bilhete.',
    en: {
      summary: 'Orders a booking: charges it and issues the ticket',
      answer: 'The order, paid, with its ticket.',
      description:
        'Checks the booking, sets the amount aside in the mandate, charges the card and issues the ticket, in this order. On 402 ' +
        'payment_challenge_required the traveller confirms at challenge.url, and the same request sent again completes the ' +
        'order. Use an Idempotency-Key to be able to repeat it without buying twice.',
    },
  },
  listOrders: {
    description: 'Os pedidos do viajante, feitos por qualquer agente dele, também os que falharam.',
    answer: 'Uma página de pedidos.',
    en: {
      summary: 'Lists the traveller’s orders, newest first',
      answer: 'A page of orders.',
      description: 'The orders of the traveller, whichever of their agents placed them, those that failed included.',
    },
  },
  getOrder: {
    description:
      'Como está o pedido: pending enquanto espera, paid com o bilhete, ou failed com o código do erro em failure.',
    answer: 'O pedido.',
    en: {
      summary: 'Reads an order',
      answer: 'The order.',
      description:
        'How the order stands: pending while it waits, paid with its ticket, or failed with the error code in failure.',
    },
  },
  getReceipt: {
    description: 'O recibo de um pedido pago: os mesmos bytes a cada leitura. Quem não pagou não tem recibo.',
    answer: 'O recibo.',
    en: {
      summary: 'Reads the receipt of an order',
      answer: 'The receipt.',
      description: 'The receipt of a paid order: the same bytes at every read. An order that is not paid has none.',
    },
  },
  getReceiptProof: {
    description:
      'Um arquivo .tlog-proof (c2sp.org/tlog-proof) do evento OrderPaid, que a página {site_url}/verificar confere sem rede. ' +
      'Responde 503 com Retry-After por cerca de um segundo, até que o evento esteja selado.',
    answer: 'A prova, como texto.',
    en: {
      summary: 'Proof that the payment of the order is in the transparency log',
      answer: 'The proof, as text.',
      description:
        'A .tlog-proof file (c2sp.org/tlog-proof) of the event OrderPaid, which the page {site_url}/verificar checks without a ' +
        'network. Answers 503 with Retry-After for about a second, until the event is sealed.',
    },
  },
  callTool: {
    description:
      'As ferramentas públicas não precisam de token; as demais, de um token com os escopos que o manifesto declara. As que ' +
      'criam aceitam uma Idempotency-Key.',
    answer:
      'CallToolResult (MCP). Recusas de negócio (402, 409, 422) vêm aqui, com isError e status. Avisos sobre nomes ' +
      'desconhecidos vêm em structuredContent.warnings.',
    en: {
      summary: 'Calls a tool of the WebMCP manifest',
      answer:
        'CallToolResult (MCP). Refusals of the business (402, 409, 422) come here, with isError and status. Warnings of ' +
        'unknown names come in structuredContent.warnings.',
      description:
        'Public tools need no token; the others need one with the scopes that the manifest declares. Those that create ' +
        'something take an Idempotency-Key.',
    },
  },
  getAgentTraffic: {
    description:
      'Só contagens: nenhum titular, pedido, endereço ou valor. Também em text/csv e no formato do Prometheus.',
    answer: 'As contagens do período.',
    en: {
      summary: 'Reads the aggregated traffic of agents',
      answer: 'The counts of the period.',
      description:
        'Counts only: no holder, order, address or amount. Also as text/csv and in the format of Prometheus.',
    },
  },
  streamAgentTraffic: {
    description:
      'Server-sent events: `traffic`, com os pontos deste minuto e do anterior, sempre que mudam. Conexões são limitadas e ' +
      'duram até uma hora.',
    answer: 'Um fluxo de eventos, que fica aberto.',
    en: {
      summary: 'Follows the traffic live',
      answer: 'A stream of events, which stays open.',
      description:
        'Server-sent events: `traffic`, with the points of this minute and the one before, whenever they change. Connections are ' +
        'limited and last up to an hour.',
    },
  },
};

/** A group of operations: its name is stable, its title and texts are for people. */
interface TagText {
  readonly title: string;
  readonly description: string;
  readonly en: { readonly title: string; readonly description: string };
}

/** The groups of operations, in the order in which a purchase meets them. */
export const TAG_TEXTS: Readonly<Record<string, TagText>> = {
  flights: {
    title: 'Voos',
    description: 'Buscar voos e comparar tarifas. Não precisa de token.',
    en: { title: 'Flights', description: 'Searching flights and comparing fares. Takes no token.' },
  },
  bookings: {
    title: 'Reservas',
    description: 'O que se quer comprar: voo, tarifa e passageiros, com o total. Uma reserva não segura assentos.',
    en: {
      title: 'Bookings',
      description: 'What is to be bought: flight, fare and passengers, with the total. A booking holds no seats.',
    },
  },
  mandates: {
    title: 'Mandatos',
    description: 'Quanto o agente pode gastar, até quando e em quê. Nada é cobrado sem um mandato em vigor.',
    en: {
      title: 'Mandates',
      description:
        'How much the agent may spend, until when and on what. Nothing is charged without a mandate in force.',
    },
  },
  orders: {
    title: 'Pedidos',
    description: 'A compra: cobra o cartão sob um mandato e emite o bilhete, o recibo e a sua prova.',
    en: {
      title: 'Orders',
      description: 'The purchase: charges the card under a mandate and issues the ticket, the receipt and its proof.',
    },
  },
  webmcp: {
    title: 'Ferramentas',
    description: 'As mesmas operações como ferramentas de agentes, com um só endereço.',
    en: { title: 'Tools', description: 'The same operations as tools for agents, at a single address.' },
  },
  observability: {
    title: 'Tráfego de agentes',
    description: 'O que agentes fazem aqui, em contagens públicas.',
    en: { title: 'Agent traffic', description: 'What agents do here, as public counts.' },
  },
  health: {
    title: 'Disponibilidade',
    description: 'Se o processo está vivo e se pode atender.',
    en: { title: 'Availability', description: 'Whether the process is alive, and whether it can work.' },
  },
};

/** What the document says of the API as a whole. */
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
