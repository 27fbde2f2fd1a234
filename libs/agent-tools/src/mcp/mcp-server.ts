import {
  createMcpHandler,
  type GetPromptRequestParams,
  type GetPromptResult,
  isJSONRPCRequest,
  isLegacyRequest,
  isSpecType,
  McpServer,
  type Prompt,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { type Caller, covers } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { NAME, VERSION } from '../manifest.controller.js';
import { ERROR_SCHEMA } from '../run-tool.js';
import type { Tool } from '../tool.js';
import { toolNamed, TOOLS } from '../tools/tools.js';
import { type Outcome, outcomeAsked } from './awaited-decision.js';
import { type Listing, listResources, readResource, TEMPLATES } from './resources.js';
import { isDate } from '#catalog';
import { amountIn, moneyText } from '#site';

const INSTRUCTIONS = `Venda de voos para agentes. Sem token: ${namesOf('public')}.
Para comprar é preciso que o viajante autorize este agente: ${namesOf('scoped')}. Chame a que precisar: sem token, a resposta é um 401, que leva à autorização (OAuth 2.1).
A ordem de uma compra: buscar, comparar tarifas, reservar, criar um mandato, comprar, ler o recibo.
Valores são inteiros em centavos. Uma recusa vem com isError e { error, message, status, doc_url }.
Argumentos desconhecidos são ignorados e listados em warnings: confira-os antes de comprar.
Com payment_challenge_required ou mandate_pending, leve o viajante ao endereço que vem com a recusa (challenge.url ou approval.url) e depois repita place_order com os mesmos argumentos.
Reservas, mandatos, pedidos e recibos do viajante também são recursos (alcada://…), e buy_under_budget é um prompt que conduz a compra.`;

function namesOf(access: Tool['access']): string {
  return TOOLS.filter((tool) => tool.access === access)
    .map(({ name }) => name)
    .join(', ');
}

/** Validates answers of the client, which is asked nothing. It is created once, since that is expensive. */
const VALIDATOR = new AjvJsonSchemaValidator();

/** Added for agents without a token to a tool that needs one: calling it leads to one (docs/adr/0112). */
const ASKS_FIRST = 'Pede autorização do viajante.';

/** A tool as MCP lists it. Every structure that it answers has the listed form, that of an error too. */
const listed = ({ name, title, description, annotations, inputSchema, outputSchema, access, scopes }: Tool) => {
  const form: unknown = {
    name,
    title,
    description: access === 'public' ? description : `${ASKS_FIRST} ${description}`,
    annotations: { ...annotations, title },
    inputSchema,
    outputSchema: { type: 'object', anyOf: [outputSchema, ERROR_SCHEMA] },
  };
  if (!isSpecType.Tool(form)) throw new Error(`${name} has a form that MCP does not know`);
  return { scopes, form };
};

const LISTED = TOOLS.map(listed);

export interface Serving {
  /** Whose token came with the message; null without one. */
  readonly caller: Caller | null;
  readonly call: (tool: Tool, given: object) => Promise<Outcome>;
  readonly listing: Listing;
}

/** A server for one message: it knows what `caller` may call and read. */
export const mcpServerFor = ({ caller, call, listing }: Serving): McpServer => {
  const granted = caller?.scopes ?? [];
  const mcp = new McpServer(
    { name: 'alcada', title: NAME, version: VERSION },
    { instructions: INSTRUCTIONS, jsonSchemaValidator: VALIDATOR },
  );
  const { server } = mcp;
  // Registered here: by an option the SDK would announce changes of lists, of which there are none without sessions.
  server.registerCapabilities({ tools: {}, resources: {}, prompts: {} });
  server.setRequestHandler('tools/list', () => ({
    // A model calls what is listed, and only a call leads to the traveller: who has no token is shown all (docs/adr/0112).
    tools: LISTED.filter(({ scopes }) => caller === null || covers(granted, scopes)).map(({ form }) => form),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }, context) => {
    const tool = toolNamed(name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Ferramenta desconhecida: ${name}`);
    return outcomeAsked(await call(tool, given), context);
  });
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: TEMPLATES.filter(({ scopes }) => covers(granted, scopes)).map(({ template }) => template),
  }));
  server.setRequestHandler('resources/list', ({ params }) => listResources(caller, params?.cursor, listing));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => readResource(caller, uri, listing));
  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS }));
  server.setRequestHandler('prompts/get', ({ params }) => promptOf(params));
  return mcp;
};

const FORMS: ReadonlyMap<string, (message: unknown) => boolean> = new Map<string, (message: unknown) => boolean>([
  ['initialize', isSpecType.InitializeRequest],
  ['tools/list', isSpecType.ListToolsRequest],
  ['tools/call', isSpecType.CallToolRequest],
  ['resources/list', isSpecType.ListResourcesRequest],
  ['resources/templates/list', isSpecType.ListResourceTemplatesRequest],
  ['resources/read', isSpecType.ReadResourceRequest],
  ['prompts/list', isSpecType.ListPromptsRequest],
  ['prompts/get', isSpecType.GetPromptRequest],
]);

/** The answer to malformed parameters, or null. The SDK would report them as an error of ours (JSON-RPC 2.0 §5.1). */
export const malformedRequest = (message: unknown): object | null => {
  if (!isJSONRPCRequest(message) || FORMS.get(message.method)?.(message) !== false) return null;
  // Since 2026-07-28, whose messages carry their revision, nothing is called `initialize` any more.
  if (message.method === 'initialize' && message.params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined) return null;
  const error = { code: ProtocolErrorCode.InvalidParams, message: 'Os parâmetros da mensagem são inválidos.' };
  return { jsonrpc: '2.0', id: message.id, error };
};

/** The headers that the transport checks, or that a message is about (MCP 2026-07-28, Transports). */
const CHECKED = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** Answers one message by Streamable HTTP, without session or stream, in the protocol version that it names (MCP, Transports). */
export const exchange = async (server: McpServer, { headers, urls, body }: FastifyRequest): Promise<Response> => {
  const request = requestFor(headers, urls.site);
  const sent = { parsedBody: body };
  try {
    if (!(await isLegacyRequest(request, body))) {
      return await createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, sent);
    }
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    return await transport.handleRequest(request, sent);
  } finally {
    await server.close();
  }
};

/** The request as the transport reads it: its body is parsed already. */
const requestFor = (headers: FastifyRequest['headers'], site: string): Request => {
  const checked = new Headers();
  for (const name of CHECKED) if (headers[name] !== undefined) checked.set(name, String(headers[name]));
  return new Request(`${site}/mcp`, { method: 'POST', headers: checked });
};

/** An error of the protocol before there is a message to answer (JSON-RPC 2.0 §5.1). */
export const INVALID_REQUEST = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'Envie uma mensagem JSON-RPC por requisição.' },
} as const;

const BUY_UNDER_BUDGET = 'buy_under_budget';

/** The prompts as MCP lists them: what a traveller may start with one choice. */
export const PROMPTS: Prompt[] = [
  {
    name: BUY_UNDER_BUDGET,
    title: 'Comprar um voo dentro de um orçamento',
    description: 'Busca, compara, pede a sua confirmação e compra um voo, sem passar do valor que você disser.',
    arguments: [
      { name: 'to', description: 'Destino: cidade ou código do aeroporto, como Recife ou REC.', required: true },
      {
        name: 'budget',
        description: 'O máximo para todos os passageiros, em reais: 1500 ou 1.500,00.',
        required: true,
      },
      { name: 'from', description: 'Origem: cidade ou código do aeroporto. Sem informar, qualquer uma.' },
      { name: 'date', description: 'O dia da partida, AAAA-MM-DD. Sem informar, a próxima partida.' },
      { name: 'passengers', description: 'Passageiros, de 1 a 9. Sem informar, 1.' },
    ],
  },
];

/** A place as a traveller writes it: one line, without what is invisible or turns the text around. */
const PLACE = /^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u;

/** The messages of a prompt. @throws ProtocolError `InvalidParams`: no such prompt, or an argument is wrong */
export const promptOf = ({ name, arguments: given = {} }: GetPromptRequestParams): GetPromptResult => {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (!prompt) throw invalid(`Prompt desconhecido: ${name}`);
  const known = prompt.arguments?.map((argument) => argument.name) ?? [];
  const unknown = Object.keys(given).find((argument) => !known.includes(argument));
  if (unknown !== undefined) throw invalid(`Argumento desconhecido: ${unknown}`);
  const text = instructionsFor(checked(new Map(Object.entries(given))));
  return { description: prompt.title, messages: [{ role: 'user', content: { type: 'text', text } }] };
};

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** What to buy: cents for all passengers together. */
interface Wish {
  readonly to: string;
  readonly from: string | undefined;
  readonly date: string | undefined;
  readonly budget: number;
  readonly passengers: number;
}

const checked = (given: ReadonlyMap<string, string>): Wish => {
  const place = (argument: string): string | undefined => {
    const text = given.get(argument)?.trim();
    if (text && !PLACE.test(text)) throw invalid(`${argument}: deve ser um texto de uma linha, com até 60 caracteres`);
    return text === '' ? undefined : text;
  };
  const [to, from] = [place('to'), place('from')];
  if (to === undefined) throw invalid('to: diga a cidade ou o aeroporto de destino');
  const budget = amountIn(given.get('budget') ?? '');
  if (budget === null || budget === 'unreadable' || budget === 0)
    throw invalid('budget: deve ser um valor em reais, como 1500 ou 1.500,00');
  const date = given.get('date')?.trim() || undefined;
  if (date !== undefined && !isDate(date)) throw invalid('date: deve ser uma data AAAA-MM-DD');
  const passengers = given.get('passengers')?.trim() || '1';
  if (!/^[1-9]$/.test(passengers)) throw invalid('passengers: deve ser um inteiro de 1 a 9');
  return { to, from, date, budget, passengers: Number(passengers) };
};

const instructionsFor = ({ to, from, date, budget, passengers }: Wish): string => {
  const limit = moneyText({ amount: budget, currency: 'BRL' });
  const people = passengers === 1 ? '1 passageiro' : `${passengers} passageiros`;
  const day = date === undefined ? '' : ` em ${date}`;
  return `Compre para mim um voo ${from === undefined ? '' : `de ${from} `}para ${to}${day}, para ${people}, por no máximo ${limit} no total.

1. Busque com search_flights${from === undefined ? '' : `, só voos que partem de ${from}`}${date === undefined ? '' : `, com date ${date}`}.
2. Compare as tarifas dos voos que servem com quote_fares: budget ${budget} (centavos) e passengers ${passengers}. Se nenhuma couber no orçamento, diga-me e pare.
3. Mostre-me a melhor escolha (voo, dia, partida e chegada, bagagem, o que volta se eu cancelar e total), pergunte o nome de quem voa e espere que eu concorde.
4. Reserve com create_booking, com date e travellers, e confira o total, que vale até expiresAt.
5. Se ainda não houver um mandato para esta compra, crie um com create_mandate: limit { "amount": ${budget}, "currency": "BRL" } e constraints { "maxOrders": 1 }. Se vier com status "pending", leve-me a approval.url e espere a minha decisão.
6. Peça-me os dados do cartão de testes e compre com place_order. Se for preciso a minha confirmação, leve-me ao endereço que vier e depois repita a chamada com os mesmos argumentos.
7. Leia o recibo com get_receipt e mostre-me o bilhete. Se eu desistir, mostre-me o que volta com quote_cancellation, e só cancele com cancel_order se eu concordar.

Nunca passe de ${limit}, e não compre nada que eu não tenha confirmado.`;
};
