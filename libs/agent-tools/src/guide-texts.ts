import { type BaseUrls, wellKnown } from '#http';
import { detailsSchemaUrl } from '#oauth';
import { inBoth, type InBoth } from '#site';

/** The titles of the guide, and what its page says around it. */
export const WORDS = inBoth({
  title: ['Como um agente compra aqui', 'How an agent buys here'],
  summary: [
    'A Alçada vende voos a agentes, até o limite que o viajante definiu. Buscar é livre; para comprar, o viajante autoriza o ' +
      'agente e cada cobrança cabe em um mandato. Valores são inteiros em centavos (150000 são R$ 1.500,00); datas e horas, ' +
      'RFC 3339 em UTC.',
    'Alçada sells flights to agents, up to the limit that the traveller has set. Searching is free for all; to buy, the traveller ' +
      'authorizes the agent, and each charge fits into a mandate. Amounts are integers in cents (150000 are R$ 1,500.00); dates ' +
      'and times, RFC 3339 in UTC.',
  ],
  sameText: ['O mesmo texto, para agentes:', 'The same text, for agents, in Portuguese:'],
  playgroundBefore: [
    'Para ver cada requisição antes de escrever a sua, faça uma compra de teste no',
    'To see each request before you write your own, make a test purchase in the',
  ],
  referenceBefore: [
    'Cada operação da API, com um exemplo que se cola no terminal, está na',
    'Each operation of the API, with a call to paste into a terminal, is in the',
  ],
  reference: ['referência', 'reference'],
  referencePath: ['/docs', '/docs/en'],
  connect: ['Conectar um agente', 'Connect an agent'],
  doors: ['Formas de acesso', 'Ways in'],
  doorsLead: [
    'As mesmas ferramentas e as mesmas regras, por onde o agente preferir.',
    'The same tools and the same rules, by whichever way the agent prefers.',
  ],
  tools: ['Ferramentas', 'Tools'],
  open: ['pública', 'public'],
  scopes: ['escopos', 'scopes'],
  authorization: ['Autorização', 'Authorization'],
  mandates: ['Mandatos', 'Mandates'],
  example: ['Uma compra, passo a passo', 'A purchase, step by step'],
  exampleNames: [
    '$TOKEN é o token de acesso; os outros nomes com $ vêm das respostas anteriores: o caminho é dentro de structuredContent.',
    '$TOKEN is the access token; the other names with $ come from earlier answers: the path is inside structuredContent.',
  ],
  exampleCards: [
    'Os cartões são de testes, e nenhum valor é movimentado.',
    'The cards are test cards, and no money moves.',
  ],
  fromAnswer: ['Da resposta', 'From the answer'],
  whatMatters: ['O que importa de structuredContent:', 'What matters of structuredContent:'],
  told: ['Saber o que aconteceu', 'Know what happened'],
  refusals: ['Recusas', 'Refusals'],
});

/** What an agent's address is; how it comes to its traveller is said after it. */
export const addressText = ({ site }: BaseUrls): InBoth => [
  `O endereço MCP é ${site}/mcp. Sem token o agente já busca e compara.`,
  `The MCP address is ${site}/mcp. Without a token the agent already searches and compares.`,
];

/** How an agent comes to its traveller: by itself, or where clients have to be registered, by what an operator gave it. */
export const howToConnect = (admitsAnyClient: boolean): InBoth =>
  admitsAnyClient
    ? [
        'Na primeira ação que pede autorização, o agente leva o viajante à página em que ela é dada.',
        'At the first action that asks for authorization, the agent takes the traveller to the page where it is given.',
      ]
    : [
        'Para comprar, o agente precisa também da identificação de cliente (client_id) que quem opera este serviço lhe dá; sem ela, só busca e compara.',
        'To buy, the agent also needs the client identifier (client_id) that the operator of this service gives it; without it, it only searches and compares.',
      ];

/** A way in: its name, its address, and what there is to say. */
interface Door {
  readonly name: string;
  readonly url: string;
  readonly text: InBoth;
}

export const doors = ({ base, site }: BaseUrls, speaksUcp: boolean): readonly Door[] => [
  {
    name: 'REST',
    url: `${base}/openapi.json`,
    text: ['A API inteira, em OpenAPI.', 'The whole API, in OpenAPI.'],
  },
  {
    name: 'WebMCP',
    url: `${site}/.well-known/webmcp.json`,
    text: [
      `O manifesto das ferramentas, chamadas em POST ${base}/webmcp/call. Em navegadores com WebMCP, as páginas de busca e de voo as oferecem em document.modelContext.`,
      `The manifest of the tools, called at POST ${base}/webmcp/call. In browsers with WebMCP, the pages of search and of flights offer them in document.modelContext.`,
    ],
  },
  {
    name: 'MCP',
    url: `${site}/mcp`,
    text: [
      'Streamable HTTP, sem sessão. Sem token, todas as ferramentas são listadas; chamar uma que pede autorização responde 401, e dele o cliente descobre onde pedi-la. Reservas, mandatos, pedidos e recibos do viajante são também recursos (alcada://…), e buy_under_budget é um prompt.',
      "Streamable HTTP, without sessions. Without a token, all tools are listed; calling one that asks for authorization answers 401, from which the client learns where to ask for it. The traveller's bookings, mandates, orders and receipts are resources too (alcada://…), and buy_under_budget is a prompt.",
    ],
  },
  ...(speaksUcp ? [ucpDoor(site)] : []),
];

const ucpDoor = (site: string): Door => ({
  name: 'UCP',
  url: `${site}/.well-known/ucp`,
  text: [
    `Para agentes que outros escreveram: o Universal Commerce Protocol, versão 2026-04-08, por REST (${site}/ucp/v1) e MCP (${site}/ucp/mcp). Uma sessão de compra é uma reserva e o pedido dela, sob os mesmos mandatos, e sob mandatos AP2 onde o perfil os oferece. Provado por @shopify/ucp-cli e pela suíte pública spck-conformance; não é uma certificação, nem um cadastro no Google, na OpenAI ou na Visa.`,
    `For agents that others wrote: the Universal Commerce Protocol, version 2026-04-08, by REST (${site}/ucp/v1) and MCP (${site}/ucp/mcp). A checkout session is a booking and its order, under the same mandates, and under those of AP2 where the profile offers it. Tried with @shopify/ucp-cli and the public suite spck-conformance; this is no certification, nor an onboarding by Google, OpenAI or Visa.`,
  ],
});

/** How a client comes to be known. It is true of every setting, since the metadata name only what there is. */
const registration = ({ auth }: BaseUrls): InBoth => {
  const metadata = wellKnown('oauth-authorization-server', auth);
  return [
    `Os metadados em ${metadata} dizem que clientes entram sem registro prévio: com client_id_metadata_document_supported, aquele cujo client_id é o endereço https dos seus metadados; com registration_endpoint, o que se registra sozinho (RFC 7591). A página de autorização diz ao viajante que não foram verificados. Sem esses dois, quem opera o serviço registra o cliente, com client_id e endereço de retorno.`,
    `The metadata at ${metadata} say which clients are admitted without being registered before: with client_id_metadata_document_supported, one whose client_id is the https address of its metadata; with registration_endpoint, one that registers itself (RFC 7591). The page of authorization tells the traveller that they are not verified. Without these two, the operator of the service registers the client, with its client_id and redirect address.`,
  ];
};

export const authorization = (urls: BaseUrls): readonly InBoth[] => [
  registration(urls),
  [
    'OAuth 2.1, authorization code com PKCE (S256). Peça em scope os escopos das ferramentas que vai usar, separados por espaço.',
    'OAuth 2.1, authorization code with PKCE (S256). Ask in scope for the scopes of the tools that you will use, separated by spaces.',
  ],
  [
    `O token vale para ${urls.base} e ${urls.site}/mcp, ou para o que for pedido em resource (RFC 8707). Envie-o em Authorization: Bearer.`,
    `The token is valid for ${urls.base} and ${urls.site}/mcp, or for what resource asks for (RFC 8707). Send it in Authorization: Bearer.`,
  ],
  [
    'Com DPoP (RFC 9449) um token roubado não compra nada. Crie um par de chaves (P-256 ou Ed25519) e envie no cabeçalho DPoP, ao pedir o token e em cada chamada, uma prova nova: um JWT do tipo dpop+jwt, assinado com a chave, com htm, htu, iat, jti, ath (nas chamadas) e o nonce do último cabeçalho DPoP-Nonce. A primeira resposta é use_dpop_nonce, com o nonce: repita o pedido com ele. Envie o token em Authorization: DPoP. Se dpop_bound_access_tokens_required for true nos metadados do recurso, só assim.',
    'With DPoP (RFC 9449) a stolen token buys nothing. Create a pair of keys (P-256 or Ed25519) and send in the header DPoP, when you ask for the token and at each call, a new proof: a JWT of type dpop+jwt, signed with the key, with htm, htu, iat, jti, ath (at calls) and the nonce of the last header DPoP-Nonce. The first answer is use_dpop_nonce, with the nonce: send the request again with it. Send the token in Authorization: DPoP. Where dpop_bound_access_tokens_required is true in the metadata of the resource, there is no other way.',
  ],
  [
    'O escopo diz o que o agente pode chamar; o mandato, quanto pode gastar. Uma compra precisa dos dois.',
    'The scope says what the agent may call; the mandate, how much it may spend. A purchase needs both.',
  ],
];

/** What a request at the authorization endpoint asks for, so that its traveller grants it there. */
const detailsFor = (purpose: string): string =>
  JSON.stringify([
    {
      type: 'payment_mandate',
      limit: { amount: 70_000, currency: 'BRL' },
      durationMinutes: 120,
      constraints: { to: ['REC'], maxOrders: 1 },
      purpose,
    },
  ]);

export const mandates = (urls: BaseUrls): readonly InBoth[] => [
  [
    'Na autorização: envie authorization_details (RFC 9396) com o que a viagem precisa, e o viajante concede o mandato na própria página, como pedido ou com outro valor ou prazo. A resposta do token traz em authorization_details o que foi concedido, com mandateId: compre com ele, sem criar outro.',
    'At authorization: send authorization_details (RFC 9396) with what the trip needs, and the traveller grants the mandate on that page, as it was asked for or with another amount or time. The answer with the token has in authorization_details what was granted, with mandateId: buy with it, and create no other.',
  ],
  [
    `Exemplo, antes de codificar para a URL: authorization_details=${detailsFor('Congresso em Recife')}. O esquema está em ${detailsSchemaUrl(urls)}; o tipo e os membros desconhecidos são recusados com invalid_authorization_details.`,
    `An example, before it is encoded for the URL: authorization_details=${detailsFor('Conference in Recife')}. The schema is at ${detailsSchemaUrl(urls)}; an unknown type and unknown members are refused with invalid_authorization_details.`,
  ],
  [
    'Depois da autorização: create_mandate. Se o viajante escolheu ser consultado, a resposta vem com status "pending" e approval { url, expiresAt, pollAfterSeconds }: leve o viajante a approval.url e leia GET /mandates/{id} a cada pollAfterSeconds segundos, até status ser "valid" (permitido, talvez com menos: leia limit de novo), "revoked" (recusado) ou "expired" (15 minutos sem resposta). Até lá uma compra com ele é recusada com 409 mandate_pending; sem REST, chame place_order de novo depois que o viajante decidir.',
    'After authorization: create_mandate. If the traveller chose to be asked, the answer has status "pending" and approval { url, expiresAt, pollAfterSeconds }: take the traveller to approval.url and read GET /mandates/{id} every pollAfterSeconds seconds, until status is "valid" (allowed, perhaps with less: read limit again), "revoked" (refused) or "expired" (15 minutes without an answer). Until then a purchase with it is refused with 409 mandate_pending; without REST, call place_order again once the traveller has decided.',
  ],
  [
    'constraints (from, to, maxPricePerSeat, maxOrders, orderTotal) restringem em que o mandato pode ser gasto, nos dois caminhos. Uma compra fora delas é recusada com 422 mandate_constraint_violated, que diz qual. O viajante pode reduzir, pausar (409 mandate_paused) e revogar um mandato a qualquer momento.',
    'constraints (from, to, maxPricePerSeat, maxOrders, orderTotal) limit what the mandate may be spent on, either way. A purchase outside them is refused with 422 mandate_constraint_violated, which says which one. The traveller can reduce, pause (409 mandate_paused) and revoke a mandate at any time.',
  ],
];

export const told = ({ base }: BaseUrls): readonly InBoth[] => [
  [
    `Não é preciso perguntar de novo: GET ${base}/events conta, na ordem do registro, o que houve com os pedidos, mandatos e acessos do agente nos últimos 30 dias. Guarde nextCursor e continue dele em after.`,
    `There is no need to ask again: GET ${base}/events tells, in the order of the record, what happened to the agent's orders, mandates and accesses in the last 30 days. Keep nextCursor and go on from it in after.`,
  ],
  [
    'Com Accept: text/event-stream, o mesmo endereço é um fluxo que conta cada coisa assim que acontece; ao voltar, envie o último id em Last-Event-ID. O fluxo acaba com o token.',
    'With Accept: text/event-stream, the same address is a stream that tells each thing as it happens; when you come back, send the last id in Last-Event-ID. The stream ends with the token.',
  ],
  [
    `Quem tem um servidor recebe por webhook (Standard Webhooks): POST ${base}/webhooks com url, sob o escopo webhook:manage; ou por MCP Events, em /mcp: events/list e events/subscribe. Um evento pode vir mais de uma vez, sempre com o mesmo id.`,
    `Whoever has a server is told by webhook (Standard Webhooks): POST ${base}/webhooks with url, under the scope webhook:manage; or by MCP Events, at /mcp: events/list and events/subscribe. An event may come more than once, always with the same id.`,
  ],
];

export const REFUSALS: readonly InBoth[] = [
  [
    'REST: toda recusa é um erro HTTP com { error, message, doc_url }; error é um código estável, e doc_url é a página que diz o que ele significa e o que fazer.',
    'REST: every refusal is an HTTP error with { error, message, doc_url }; error is a stable code, and doc_url is the page that says what it means and what to do.',
  ],
  [
    'POST /webmcp/call: as de negócio (402, 409, 422) vêm em uma resposta 200 com isError e structuredContent { error, message, status }; as demais são erros HTTP como em REST.',
    'POST /webmcp/call: those of the business (402, 409, 422) come in an answer 200 with isError and structuredContent { error, message, status }; the others are HTTP errors as in REST.',
  ],
  [
    'MCP: token ausente ou inválido (401) e escopo insuficiente (403) são erros HTTP; as demais vêm no resultado, com isError.',
    'MCP: a missing or invalid token (401) and an insufficient scope (403) are HTTP errors; the others come in the result, with isError.',
  ],
  [
    'insufficient_scope: WWW-Authenticate traz em scope o que pedir. Em MCP são também os escopos que o token já tem, e, se a chamada gasta, o corpo traz em authorization_details o mandato que falta.',
    'insufficient_scope: WWW-Authenticate says in scope what to ask for. In MCP these include the scopes that the token has already, and, if the call spends, the body has in authorization_details the mandate that is missing.',
  ],
  [
    'payment_challenge_required e mandate_pending: leve o viajante a challenge.url ou approval.url; depois que ele decidir, envie o mesmo pedido outra vez. Em MCP, desde a revisão 2025-11-25, essas duas vêm como o erro -32042 com o endereço (na 2026-07-28, como input_required, se o cliente declara elicitation.url).',
    'payment_challenge_required and mandate_pending: take the traveller to challenge.url or approval.url; once they have decided, send the same request again. In MCP, since revision 2025-11-25, these two come as the error -32042 with the address (in 2026-07-28, as input_required, if the client declares elicitation.url).',
  ],
  [
    'Nomes desconhecidos são ignorados, e a resposta os lista em warnings, com o nome mais próximo. Com o cabeçalho Prefer: handling=strict, são recusados com 422 unknown_member, antes de qualquer efeito.',
    'Unknown names are ignored, and the answer lists them in warnings, with the nearest name. With the header Prefer: handling=strict, they are refused with 422 unknown_member, before any effect.',
  ],
  [
    'Assinar as requisições (Web Bot Auth, RFC 9421) é opcional e não dá direitos. Uma escrita cuja assinatura não confere é recusada com 403 invalid_signature, e details.reason diz por quê.',
    'Signing requests (Web Bot Auth, RFC 9421) is optional and gives no rights. A write whose signature does not verify is refused with 403 invalid_signature, and details.reason says why.',
  ],
  [
    'Para repetir uma criação sem criar duas vezes, envie o cabeçalho Idempotency-Key com a mesma chave e os mesmos argumentos.',
    'To repeat a creation without creating twice, send the header Idempotency-Key with the same key and the same arguments.',
  ],
];
