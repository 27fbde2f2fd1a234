import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as McpTool,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { type Caller, covers } from '#kernel';
import { type CallToolResult, ERROR_SCHEMA } from '../call-tool-result.js';
import { NAME, VERSION } from '../manifest/manifest.js';
import type { Tool } from '../tool.js';
import { toolNamed, TOOLS } from '../tools/tools.js';

const INSTRUCTIONS = `Venda de voos para agentes. Sem token: ${namesOf('public')}.
Para comprar é preciso que o viajante autorize este agente (OAuth 2.1, pelo 401 deste endereço): ${namesOf('scoped')}.
A ordem de uma compra: buscar, comparar tarifas, reservar, criar um mandato, comprar, ler o recibo.
Valores são inteiros em centavos. Uma recusa vem com isError e { error, message, status }.
Com payment_challenge_required, leve o viajante a challenge.url e depois repita place_order com os mesmos argumentos.`;

function namesOf(access: Tool['access']): string {
  return TOOLS.filter((tool) => tool.access === access)
    .map(({ name }) => name)
    .join(', ');
}

/** What would judge answers of the client, which is asked nothing; made once, since making it is dear. */
const VALIDATOR = new AjvJsonSchemaValidator();

/** A tool as MCP lists it. Every structure it answers is of the form told, refusals too. */
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
  // Told here and not as an option, for which the SDK would promise news of the list: without sessions there are none.
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
