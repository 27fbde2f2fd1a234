import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  JSONRPCRequestSchema,
  ListToolsRequestSchema,
  McpError,
  type Tool as McpTool,
} from '@modelcontextprotocol/sdk/types.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { type Caller, covers } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { NAME, VERSION } from '../manifest.controller.js';
import { type CallToolResult, ERROR_SCHEMA } from '../tool-calls.js';
import type { Tool } from '../tool.js';
import { toolNamed, TOOLS } from '../tools/tools.js';

const INSTRUCTIONS = `Venda de voos para agentes. Sem token: ${namesOf('public')}.
Para comprar é preciso que o viajante autorize este agente (OAuth 2.1, pelo 401 deste endereço): ${namesOf('scoped')}.
A ordem de uma compra: buscar, comparar tarifas, reservar, criar um mandato, comprar, ler o recibo.
Valores são inteiros em centavos. Uma recusa vem com isError e { error, message, status }.
Argumentos desconhecidos são ignorados e listados em warnings: confira-os antes de comprar.
Com payment_challenge_required, leve o viajante a challenge.url e depois repita place_order com os mesmos argumentos.`;

function namesOf(access: Tool['access']): string {
  return TOOLS.filter((tool) => tool.access === access)
    .map(({ name }) => name)
    .join(', ');
}

/** Validates answers of the client, which is asked nothing. It is created once, since that is expensive. */
const VALIDATOR = new AjvJsonSchemaValidator();

/** A tool as MCP lists it. Every structure that it answers has the listed form, that of an error too. */
const listed = ({ name, title, description, annotations, inputSchema, outputSchema }: Tool): McpTool => ({
  name,
  title,
  description,
  annotations: { ...annotations, title },
  inputSchema: { ...inputSchema, required: [...(inputSchema.required ?? [])] },
  outputSchema: { type: 'object', anyOf: [outputSchema, ERROR_SCHEMA] },
});

/** A server for one message: it knows the tools that `caller` may call, and runs them by `call`. */
export const mcpServerFor = (
  caller: Caller | null,
  call: (tool: Tool, given: object) => Promise<CallToolResult>,
): McpServer => {
  const mcp = new McpServer(
    { name: 'alcada', title: NAME, version: VERSION },
    { instructions: INSTRUCTIONS, jsonSchemaValidator: VALIDATOR },
  );
  // Registered here and not by an option, with which the SDK would announce changes of the list. There are none without
  // sessions.
  mcp.server.registerCapabilities({ tools: {} });
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.filter(({ scopes }) => covers(caller?.scopes ?? [], scopes)).map(listed),
  }));
  mcp.server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    const tool = toolNamed(name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Ferramenta desconhecida: ${name}`);
    return call(tool, given);
  });
  return mcp;
};

/**
 * The tool that a JSON-RPC message calls; undefined where it calls none that there is. A name that is sent twice is the
 * one the protocol will read: both read the parsed body.
 */
export const toolCalledBy = (message: unknown): Tool | undefined =>
  callsTool(message) ? toolNamed(asRecord(asRecord(message)['params'])['name']) : undefined;

/** Whether a JSON-RPC message calls a tool, be there one of its name or not. */
export const callsTool = (message: unknown): boolean => asRecord(message)['method'] === 'tools/call';

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

interface Form {
  readonly safeParse: (message: unknown) => { readonly success: boolean };
}

/** The forms of the requests that are answered. */
const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['initialize', InitializeRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['tools/call', CallToolRequestSchema],
]);

/**
 * The answer to a request whose parameters are of no good form; null where they are, or where it is for the protocol to
 * say what is wrong. Left to the SDK, it would be an error of ours that tells how it is made (JSON-RPC 2.0 §5.1).
 */
export const malformedRequest = (message: unknown): object | null => {
  const { success, data } = JSONRPCRequestSchema.safeParse(message);
  if (!success || FORMS.get(data.method)?.safeParse(message).success !== false) return null;
  const error = { code: ErrorCode.InvalidParams, message: 'Os parâmetros da mensagem são inválidos.' };
  return { jsonrpc: '2.0', id: data.id, error };
};

/** The headers that the transport checks. */
const CHECKED = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/**
 * Has `server` answer one message by Streamable HTTP (MCP, Transports), without a session and in plain JSON: nothing is
 * kept between requests, so that any process may answer any of them.
 */
export const exchange = async (server: McpServer, { headers, urls, body }: FastifyRequest): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(requestFor(headers, urls.site), { parsedBody: body });
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
