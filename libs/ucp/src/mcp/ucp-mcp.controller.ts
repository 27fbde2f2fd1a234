import { Controller, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { mcpExchange } from '#agent-tools';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LimitedBy, Public } from '#http';
import { z } from 'zod';
import { keyOf } from '../checkout/repeatable-writes.js';
import { UcpRequests } from '../platform/ucp-requests.js';
import { MessageSigner } from '../signing/message-signer.js';
import { CHECKOUT, ORDER, VERSION } from '../versions.js';
import { rpcErrors, UcpErrors, UcpOutcome } from '../ucp-error.js';
import { type UcpTool, UcpTools } from './ucp-tools.js';

/** A message that calls a tool, as far as who asks is read of it. */
const call = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]),
  method: z.literal('tools/call'),
  params: z.object({
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()).default({}),
  }),
});
type Call = z.infer<typeof call>;

/** What of a `meta` says who asks and by which key. What else is wrong with it, the tool's own schema finds. */
const readMeta = z
  .object({
    'ucp-agent': z.object({ profile: z.unknown() }).optional().catch(undefined),
    'idempotency-key': z.string().optional().catch(undefined),
  })
  .catch({});

/** What is signed as the same is by REST (UCP, Checkout MCP Binding, Response Signing): answers about a purchase, and about an order. */
const SIGNED: readonly string[] = [CHECKOUT, ORDER];

/** The operations of UCP by MCP: one message a request, with or without `initialize` before (UCP, MCP Binding). */
@ApiExcludeController()
@Public()
@UcpErrors(rpcErrors)
@Controller('ucp/mcp')
export class UcpMcpController {
  constructor(
    private readonly requests: UcpRequests,
    private readonly tools: UcpTools,
    private readonly signer: MessageSigner,
  ) {}

  @Post()
  @LimitedBy('publicReads', 10)
  async post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { exchange, INVALID_REQUEST, McpServer, ProtocolError, ProtocolErrorCode } = await mcpExchange();
    if (Array.isArray(request.body)) {
      await reply.code(400).send(INVALID_REQUEST);
      return;
    }
    const { data } = call.safeParse(request.body);
    const tool = this.tools.all.find(({ name }) => name === data?.params.name);
    const result = data && tool ? await this.resultOf(data, tool, request, reply) : null;
    const mcp = new McpServer({ name: 'alcada-ucp', version: VERSION }, {});
    mcp.server.registerCapabilities({ tools: {} });
    mcp.server.setRequestHandler('tools/list', () => ({ tools: [...this.tools.listed] }));
    mcp.server.setRequestHandler('tools/call', ({ params: { name } }) => {
      if (!result) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Ferramenta desconhecida: ${name}`);
      return result;
    });
    // Answers come as JSON, whatever a client says that it takes.
    const headers = { ...request.headers, accept: 'application/json, text/event-stream' };
    const answer = await exchange(mcp, { headers, urls: request.urls, body: request.body });
    const body = await answer.text();
    const signed = tool && SIGNED.includes(tool.capability) ? await this.signer.ofAnswer(answer.status, body) : {};
    await reply
      .code(answer.status)
      .headers({ ...Object.fromEntries(answer.headers), ...signed })
      .send(body);
  }

  /** What a message's call of a tool comes to. */
  private async resultOf(message: Call, tool: UcpTool, request: FastifyRequest, reply: FastifyReply) {
    request.tool = tool.name;
    try {
      return structured(await this.run(message, tool, request, reply));
    } catch (thrown) {
      if (thrown instanceof UcpOutcome) return structured(thrown.answer);
      throw thrown;
    }
  }

  private async run({ params }: Call, tool: UcpTool, request: FastifyRequest, reply: FastifyReply): Promise<object> {
    const meta = readMeta.parse(params.arguments['meta']);
    const asking = await this.requests.of(request, reply, tool.capability, meta['ucp-agent']?.profile ?? '');
    return tool.run(asking, params.arguments, { reply, key: meta['idempotency-key'] ?? keyOf(request) });
  }
}

/** An answer as structure and as text (UCP, Response Format). */
const structured = (answer: object) => ({
  structuredContent: { ...answer },
  content: [{ type: 'text' as const, text: JSON.stringify(answer) }],
});
