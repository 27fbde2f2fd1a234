import { type BaseUrls, wellKnown } from '#http';
import type { Scope } from '#kernel';
import { detailsSchemaUrl } from '#oauth';
import { howToConnect, type McpClient, mcpClients } from './connect.js';
import { EXAMPLE, type Step } from './guide-example.js';
import { toolNamed, TOOLS } from './tools/tools.js';

/** A section of the guide: its title, its paragraphs, a list, and requests as they are sent. */
export interface Section {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly items: readonly Item[];
  readonly requests: readonly Request[];
  readonly clients: readonly McpClient[];
}

/** A line of a list: a name, where it leads if anywhere, and what there is to say. */
interface Item {
  readonly name: string;
  readonly url?: string;
  readonly text: string;
}

/** A request of the worked example: a title, the bytes, what to keep of the answer, and the part of it that matters. */
interface Request {
  readonly title: string;
  readonly http: string;
  readonly keeps: string;
  readonly answer: string;
}

export const TITLE = 'Como um agente compra aqui';
export const SUMMARY =
  'A Alçada vende voos a agentes, até o limite que o viajante definiu. Buscar é livre; para comprar, o viajante autoriza o ' +
  'agente e cada cobrança cabe em um mandato. Valores são inteiros em centavos (150000 são R$ 1.500,00); datas e horas, ' +
  'RFC 3339 em UTC.';

/** How an agent buys here, made of the table of tools: the one text behind `llms.txt` and `/docs/agents`. */
export const guideFor = (urls: BaseUrls, admitsAnyClient: boolean): readonly Section[] => [
  section('Conectar um agente', {
    paragraphs: [
      `O endereço MCP é ${urls.site}/mcp. Sem token o agente já busca e compara. ${howToConnect(admitsAnyClient)}`,
    ],
    clients: mcpClients(urls),
  }),
  section('Formas de acesso', {
    paragraphs: ['As mesmas ferramentas e as mesmas regras, por onde o agente preferir.'],
    items: channels(urls),
  }),
  section('Ferramentas', {
    items: TOOLS.map(({ name, title, description, scopes }) => ({
      name,
      text: `${title} (${needs(scopes)}). ${description}`,
    })),
  }),
  section('Autorização', { paragraphs: authorization(urls) }),
  section('Mandatos', { paragraphs: mandates(urls) }),
  section('Uma compra, passo a passo', {
    paragraphs: [
      '$TOKEN é o token de acesso; os outros nomes com $ vêm das respostas anteriores: o caminho é dentro de structuredContent.',
      'Os cartões são de testes, e nenhum valor é movimentado.',
    ],
    requests: EXAMPLE.map((step, place) => requestOf(step, place, urls)),
  }),
  section('Saber o que aconteceu', { paragraphs: told(urls) }),
  section('Recusas', { paragraphs: REFUSALS }),
];

const section = (title: string, parts: Partial<Section>): Section => ({
  title,
  paragraphs: [],
  items: [],
  requests: [],
  clients: [],
  ...parts,
});

const needs = (scopes: readonly Scope[]): string => (scopes.length === 0 ? 'pública' : `escopos: ${scopes.join(' ')}`);

const channels = ({ base, site }: BaseUrls): readonly Item[] => [
  { name: 'REST', url: `${base}/openapi.json`, text: 'A API inteira, em OpenAPI.' },
  {
    name: 'WebMCP',
    url: `${site}/.well-known/webmcp.json`,
    text: `O manifesto das ferramentas, chamadas em POST ${base}/webmcp/call. Em navegadores com WebMCP, as páginas de busca e de voo as oferecem em document.modelContext.`,
  },
  {
    name: 'MCP',
    url: `${site}/mcp`,
    text: 'Streamable HTTP, sem sessão. Sem token, todas as ferramentas são listadas; chamar uma que pede autorização responde 401, e dele o cliente descobre onde pedi-la. Reservas, mandatos, pedidos e recibos do viajante são também recursos (alcada://…), e buy_under_budget é um prompt.',
  },
];

/** How a client comes to be known. It is true of every setting, since the metadata name only what there is. */
const registration = ({ auth }: BaseUrls): string =>
  `Os metadados em ${wellKnown('oauth-authorization-server', auth)} dizem que clientes entram sem registro prévio: com client_id_metadata_document_supported, aquele cujo client_id é o endereço https dos seus metadados; com registration_endpoint, o que se registra sozinho (RFC 7591). A página de autorização diz ao viajante que não foram verificados. Sem esses dois, quem opera o serviço registra o cliente, com client_id e endereço de retorno.`;

const authorization = (urls: BaseUrls): readonly string[] => [
  registration(urls),
  'OAuth 2.1, authorization code com PKCE (S256). Peça em scope os escopos das ferramentas que vai usar, separados por espaço.',
  `O token vale para ${urls.base} e ${urls.site}/mcp, ou para o que for pedido em resource (RFC 8707). Envie-o em Authorization: Bearer.`,
  'Com DPoP (RFC 9449) um token roubado não compra nada. Crie um par de chaves (P-256 ou Ed25519) e envie no cabeçalho DPoP, ao pedir o token e em cada chamada, uma prova nova: um JWT do tipo dpop+jwt, assinado com a chave, com htm, htu, iat, jti, ath (nas chamadas) e o nonce do último cabeçalho DPoP-Nonce. A primeira resposta é use_dpop_nonce, com o nonce: repita o pedido com ele. Envie o token em Authorization: DPoP. Se dpop_bound_access_tokens_required for true nos metadados do recurso, só assim.',
  'O escopo diz o que o agente pode chamar; o mandato, quanto pode gastar. Uma compra precisa dos dois.',
];

const mandates = (urls: BaseUrls): readonly string[] => [
  'Na autorização: envie authorization_details (RFC 9396) com o que a viagem precisa, e o viajante concede o mandato na própria página, como pedido ou com outro valor ou prazo. A resposta do token traz em authorization_details o que foi concedido, com mandateId: compre com ele, sem criar outro.',
  `Exemplo, antes de codificar para a URL: authorization_details=${JSON.stringify([DETAIL])}. O esquema está em ${detailsSchemaUrl(urls)}; o tipo e os membros desconhecidos são recusados com invalid_authorization_details.`,
  'Depois da autorização: create_mandate. Se o viajante escolheu ser consultado, a resposta vem com status "pending" e approval { url, expiresAt, pollAfterSeconds }: leve o viajante a approval.url e leia GET /mandates/{id} a cada pollAfterSeconds segundos, até status ser "valid" (permitido, talvez com menos: leia limit de novo), "revoked" (recusado) ou "expired" (15 minutos sem resposta). Até lá uma compra com ele é recusada com 409 mandate_pending; sem REST, chame place_order de novo depois que o viajante decidir.',
  'constraints (from, to, maxPricePerSeat, maxOrders) restringem em que o mandato pode ser gasto, nos dois caminhos. Uma compra fora delas é recusada com 422 mandate_constraint_violated, que diz qual. O viajante pode reduzir, pausar (409 mandate_paused) e revogar um mandato a qualquer momento.',
];

/** What a request at the authorization endpoint asks for, so that its traveller grants it there. */
const DETAIL = {
  type: 'payment_mandate',
  limit: { amount: 70_000, currency: 'BRL' },
  durationMinutes: 120,
  constraints: { to: ['REC'], maxOrders: 1 },
  purpose: 'Congresso em Recife',
};

const told = ({ base }: BaseUrls): readonly string[] => [
  `Não é preciso perguntar de novo: GET ${base}/events conta, na ordem do registro, o que houve com os pedidos, mandatos e acessos do agente nos últimos 30 dias. Guarde nextCursor e continue dele em after.`,
  'Com Accept: text/event-stream, o mesmo endereço é um fluxo que conta cada coisa assim que acontece; ao voltar, envie o último id em Last-Event-ID. O fluxo acaba com o token.',
  `Quem tem um servidor recebe por webhook (Standard Webhooks): POST ${base}/webhooks com url, sob o escopo webhook:manage; ou por MCP Events, em /mcp: events/list e events/subscribe. Um evento pode vir mais de uma vez, sempre com o mesmo id.`,
];

const REFUSALS: readonly string[] = [
  'REST: toda recusa é um erro HTTP com { error, message, doc_url }; error é um código estável, e doc_url é a página que diz o que ele significa e o que fazer.',
  'POST /webmcp/call: as de negócio (402, 409, 422) vêm em uma resposta 200 com isError e structuredContent { error, message, status }; as demais são erros HTTP como em REST.',
  'MCP: token ausente ou inválido (401) e escopo insuficiente (403) são erros HTTP; as demais vêm no resultado, com isError.',
  'insufficient_scope: WWW-Authenticate traz em scope o que pedir. Em MCP são também os escopos que o token já tem, e, se a chamada gasta, o corpo traz em authorization_details o mandato que falta.',
  'payment_challenge_required e mandate_pending: leve o viajante a challenge.url ou approval.url; depois que ele decidir, envie o mesmo pedido outra vez. Em MCP, desde a revisão 2025-11-25, essas duas vêm como o erro -32042 com o endereço (na 2026-07-28, como input_required, se o cliente declara elicitation.url).',
  'Nomes desconhecidos são ignorados, e a resposta os lista em warnings, com o nome mais próximo. Com o cabeçalho Prefer: handling=strict, são recusados com 422 unknown_member, antes de qualquer efeito.',
  'Assinar as requisições (Web Bot Auth, RFC 9421) é opcional e não dá direitos. Uma escrita cuja assinatura não confere é recusada com 403 invalid_signature, e details.reason diz por quê.',
  'Para repetir uma criação sem criar duas vezes, envie o cabeçalho Idempotency-Key com a mesma chave e os mesmos argumentos.',
];

const requestOf = ({ title, tool, args, keeps, answer }: Step, place: number, { base }: BaseUrls): Request => {
  const isScoped = toolNamed(tool)?.access === 'scoped';
  const http = [
    `POST ${base}/webmcp/call`,
    'Content-Type: application/json',
    ...(isScoped ? ['Authorization: Bearer $TOKEN'] : []),
    '',
    JSON.stringify({ tool, arguments: args }),
  ].join('\n');
  const kept = Object.entries(keeps).map(([name, path]) => `$${name} = ${path}`);
  return { title: `${place + 1}. ${title}`, http, keeps: kept.join('; '), answer: JSON.stringify(answer, null, 2) };
};
