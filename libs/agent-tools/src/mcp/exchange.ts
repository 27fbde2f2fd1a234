import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { FastifyRequest } from 'fastify';

/** The headers that the transport judges. */
const JUDGED = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/**
 * Has `server` answer one message by Streamable HTTP (MCP, Transports), without a session and in plain JSON: nothing is
 * kept between requests, so that any process may answer any of them.
 */
export const exchange = async (server: McpServer, { headers, urls, body }: FastifyRequest): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const judged = new Headers();
  for (const name of JUDGED) if (headers[name] !== undefined) judged.set(name, String(headers[name]));
  const request = new Request(`${urls.site}/mcp`, { method: 'POST', headers: judged });
  const response = await transport.handleRequest(request, { parsedBody: body });
  await server.close();
  return response;
};

/** An error of the protocol before there is a message to answer (JSON-RPC 2.0 §5.1). */
export const INVALID_REQUEST = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'Envie uma mensagem JSON-RPC por requisição.' },
} as const;
