import { Controller, Get, Options, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  AccessTokens,
  asDomainError,
  type BaseUrls,
  configureRoute,
  countInAll,
  LimitedBy,
  RateLimiter,
  reportError,
} from '#http';
import { type Caller, DomainError, lazily } from '#kernel';
import { COPY_SCRIPT, html, moneyText, type Page, publicPage, sendPage } from '#site';
import { Subscriptions } from '#outbox';
import { Readers, type Tool } from '../tool.js';
import { refused, succeeded, ToolCalls } from '../run-tool.js';
import type { Outcome } from './awaited-decision.js';
import { authorizeMessage, callerOfMessage, checkOrigin, McpSettings, PREFLIGHT } from './mcp-access.js';
import { toPaste } from '../connect.js';

/** What a person sees who opens the address that is meant for agents. */
const addressPage = ({ site }: BaseUrls): Page => ({
  status: 200,
  isPublic: true,
  scriptTargets: 'none',
  html: publicPage({
    title: 'Endereço para agentes · Alçada',
    description: 'O endereço MCP da Alçada, para colar em um agente.',
    path: null,
    siteUrl: site,
    module: COPY_SCRIPT,
    content: html`<div class="within band lost">
      <h1>Este endereço é para agentes</h1>
      <p class="lead">Um navegador não tem o que fazer aqui. Copie o endereço e cole no seu agente, que fala MCP:</p>
      ${toPaste(`${site}/mcp`)}
      <p class="actions">
        <a class="button" href="/docs/agents">Como conectar um agente</a>
        <a class="button quiet" href="/voos">Ver todos os voos</a>
      </p>
    </div>`,
  }),
});

/** The SDK is loaded by the first message: it is as large as the rest of the service. */
const protocol = lazily(() =>
  Promise.all([import('./mcp-server.js'), import('./message.js'), import('./exchange.js')]),
);

/** The tools over MCP (docs/decisions.md, Agent tools): Streamable HTTP, one message a request. */
@ApiExcludeController()
@Controller('mcp')
export class McpController {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly calls: ToolCalls,
    private readonly readers: Readers,
    private readonly settings: McpSettings,
    private readonly rates: RateLimiter,
    private readonly subscriptions: Subscriptions,
  ) {}

  @Options()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    checkOrigin(request, reply, this.settings.allowedOrigins);
    void reply.code(204).headers(PREFLIGHT).send();
  }

  /** A browser gets a page about the address; for a program there is no stream to read (MCP, Transports). */
  @Get()
  @LimitedBy('publicReads')
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    void reply.header('vary', 'Accept');
    if (!request.headers.accept?.includes('text/html')) {
      void reply.header('allow', 'OPTIONS, POST');
      throw new DomainError('method_not_allowed');
    }
    sendPage(reply, addressPage(request.urls));
  }

  /** The protocol costs several times what the same call does elsewhere. What costs more than that anywhere counts as it does there. */
  @Post()
  @LimitedBy('publicReads', 5)
  @configureRoute({ resource: 'mcp' })
  async post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    checkOrigin(request, reply, this.settings.allowedOrigins);
    const caller = await callerOfMessage(this.tokens, request, reply);
    const [{ malformedRequest, mcpServerFor }, { aboutOf }, { exchange, INVALID_REQUEST }] = await protocol();
    // Many calls in one request would count as one where requests are limited.
    if (Array.isArray(request.body)) {
      await reply.code(400).send(INVALID_REQUEST);
      return;
    }
    const about = aboutOf(request.body);
    countInAll(this.rates, reply, about.weight);
    const { tool, callsTool } = about;
    request.tool = tool?.name ?? null;
    if (callsTool && !tool) request.errorCode = 'unknown_tool';
    await authorizeMessage(about, request, this.readers.bookings);
    const refusal = malformedRequest(request.body);
    if (refusal) {
      request.errorCode = 'invalid_arguments';
      await reply.code(200).send(refusal);
      return;
    }

    const denials: DomainError[] = [];
    const server = mcpServerFor({
      caller,
      call: async (called, given) => {
        const outcome = await this.outcomeOf(called, given, reply);
        // The agent was revoked after its token was checked. Its client learns that as it would by the next request.
        if (outcome.refusal?.code === 'invalid_token') denials.push(outcome.refusal);
        return outcome;
      },
      listing: { readers: this.readers, urls: request.urls, refused: (error) => reportError(error, request) },
      subscriptions: this.subscriptions,
    });
    const answer = await exchange(server, request);
    const [denied] = denials;
    if (denied) throw denied;
    await reply
      .code(answer.status)
      .headers(Object.fromEntries(answer.headers))
      .send(await answer.text());
  }

  private async outcomeOf(tool: Tool, given: object, reply: FastifyReply): Promise<Outcome> {
    try {
      return { result: succeeded(await this.calls.run(tool, given, reply)) };
    } catch (error) {
      const refusal = asDomainError(error);
      reportError(refusal, reply.request);
      const { caller, urls } = reply.request;
      const purchase = await challengedPurchase(refusal, caller, this.readers);
      return { result: refused(refusal, urls), refusal, purchase };
    }
  }
}

/** What a refusal asks to confirm: `R$ 489,90: AL4011, São Paulo → Recife`. Undefined where it asks for no confirmation. */
const challengedPurchase = async (
  { code, members = {} }: DomainError,
  caller: Caller | null,
  { flights, orders }: Readers,
): Promise<string | undefined> => {
  const { challenge } = members as { readonly challenge?: { readonly id: string } };
  if (code !== 'payment_challenge_required' || !challenge || !caller) return undefined;
  const { checkout } = await orders.get(challenge.id, caller.holder);
  const { flightNumber, from, to } = checkout.line;
  const airports = await flights.airports();
  const cityOf = (airport: string): string => airports.find((one) => one.code === airport)?.city ?? airport;
  return `${moneyText(checkout.total)}: ${flightNumber}, ${cityOf(from)} → ${cityOf(to)}`;
};
