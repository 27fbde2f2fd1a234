import {
  isJSONRPCRequest,
  isSpecType,
  McpServer,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { type Caller, covers } from '#kernel';
import { NAME, VERSION } from '../manifest.controller.js';
import { ERROR_SCHEMA } from '../run-tool.js';
import type { Subscriptions } from '#outbox';
import type { Tool } from '../tool.js';
import { toolNamed, TOOLS } from '../tools/tools.js';
import { type Outcome, outcomeAsked } from './awaited-decision.js';
import { serveEvents } from './events.js';
import { promptOf, PROMPTS } from './prompts.js';
import { type Listing, listResources, readResource, TEMPLATES } from './resources.js';

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
  /** The owner of the token that came with the message; null without one. */
  readonly caller: Caller | null;
  readonly call: (tool: Tool, given: object) => Promise<Outcome>;
  readonly listing: Listing;
  readonly subscriptions: Subscriptions;
}

/** A server for one message: it knows what `caller` may call and read. */
export const mcpServerFor = ({ caller, call, listing, subscriptions }: Serving): McpServer => {
  const granted = caller?.scopes ?? [];
  const mcp = new McpServer(
    { name: 'alcada', title: NAME, version: VERSION },
    { instructions: INSTRUCTIONS, jsonSchemaValidator: VALIDATOR },
  );
  const { server } = mcp;
  // Registered here: by an option the SDK would announce changes of lists, of which there are none without sessions.
  const capabilities: object = { tools: {}, resources: {}, prompts: {}, events: {} };
  server.registerCapabilities(capabilities);
  serveEvents(mcp, { caller, subscriptions, listing });
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
