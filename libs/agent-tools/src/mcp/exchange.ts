import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';

export { McpServer, ProtocolError, ProtocolErrorCode };

/** The headers that the transport checks, or that a message is about (MCP 2026-07-28, Transports). */
const CHECKED = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** Answers one message by Streamable HTTP, without session or stream, in the protocol version that it names (MCP, Transports). */
export const exchange = async (
  server: McpServer,
  { headers, urls, body }: Pick<FastifyRequest, 'headers' | 'urls' | 'body'>,
): Promise<Response> => {
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
