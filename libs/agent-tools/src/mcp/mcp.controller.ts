import { Controller, Options, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AccessTokens, asDomainError, configureRoute, LimitedBy, reportError } from '#http';
import type { DomainError } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tool } from '../tool.js';
import { type CallToolResult, refused, succeeded, ToolCalls } from '../tool-calls.js';
import { authorizeCall, callerOfMessage, checkOrigin, McpSettings, PREFLIGHT } from './mcp-access.js';
import { callsTool, exchange, INVALID_REQUEST, malformedRequest, mcpServerFor, toolCalledBy } from './mcp-server.js';

/** The tools over MCP (docs/decisions.md, Agent tools): Streamable HTTP, one message a request. */
@ApiExcludeController()
@Controller('mcp')
@LimitedBy('publicReads')
export class McpController {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly calls: ToolCalls,
    private readonly settings: McpSettings,
  ) {}

  @Options()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    checkOrigin(request, reply, this.settings.allowedOrigins);
    void reply.code(204).headers(PREFLIGHT).send();
  }

  @Post()
  @configureRoute({ resource: 'mcp' })
  async post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    checkOrigin(request, reply, this.settings.allowedOrigins);
    const caller = await callerOfMessage(this.tokens, request, reply);
    // Many calls in one request would count as one where requests are limited.
    if (Array.isArray(request.body)) {
      await reply.code(400).send(INVALID_REQUEST);
      return;
    }
    const tool = toolCalledBy(request.body);
    request.tool = tool?.name ?? null;
    if (tool) authorizeCall(tool, request);
    else if (callsTool(request.body)) request.errorCode = 'unknown_tool';
    const refusal = malformedRequest(request.body);
    if (refusal) {
      request.errorCode = 'invalid_arguments';
      await reply.code(200).send(refusal);
      return;
    }

    const denials: DomainError[] = [];
    const server = mcpServerFor(caller, async (called, given) => {
      const outcome = await this.outcomeOf(called, given, reply);
      // The agent was revoked after its token was checked. Its client learns that as it would by the next request.
      if (outcome.refusal?.code === 'invalid_token') denials.push(outcome.refusal);
      return outcome.result;
    });
    const answer = await exchange(server, request);
    const [denied] = denials;
    if (denied) throw denied;
    await reply
      .code(answer.status)
      .headers(Object.fromEntries(answer.headers))
      .send(await answer.text());
  }

  private async outcomeOf(
    tool: Tool,
    given: object,
    reply: FastifyReply,
  ): Promise<{ readonly result: CallToolResult; readonly refusal?: DomainError }> {
    try {
      return { result: succeeded(await this.calls.run(tool, given, reply)) };
    } catch (error) {
      const refusal = asDomainError(error);
      reportError(refusal, reply.request);
      return { result: refused(refusal), refusal };
    }
  }
}
