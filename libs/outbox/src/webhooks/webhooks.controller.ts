import { Controller, Delete, Get, Header, HttpCode, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API, ApiErrors, callerOf, CurrentCaller, JsonBody, LimitedBy, RequireScopes } from '#http';
import { type Caller, DomainError, SCOPES } from '#kernel';
import { EVENT_TYPES, type EventType, typesFor } from '../event-types.js';
import { hasArrived } from './attempt.js';
import { ChangeWebhookDto, CreateWebhookDto, ReplayWebhookDto } from './webhook.dto.js';
import {
  createdView,
  CreatedWebhookView,
  DeliveryListView,
  deliveryView,
  DeliveryView,
  secretView,
  WebhookListView,
  WebhookSecretView,
  WebhookTestView,
  webhookView,
  WebhookView,
} from './webhook.view.js';
import { Webhooks } from './webhooks.js';

/** What an operation counts that sends a request to an address of its caller's choice. */
export const OUTGOING = 20;

/** The addresses to which an agent's events are sent (docs/interface.md, Webhooks). */
@ApiTags('webhooks')
@Controller(`${API}/webhooks`)
@RequireScopes('webhook:manage')
export class WebhooksController {
  constructor(private readonly webhooks: Webhooks) {}

  @Post()
  @HttpCode(201)
  @LimitedBy('operations', OUTGOING)
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'createWebhook', summary: 'Cria um webhook' })
  @ApiCreatedResponse({ type: CreatedWebhookView })
  @ApiErrors('invalid_body', 'invalid_webhook')
  async create(
    @JsonBody(CreateWebhookDto) body: CreateWebhookDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedWebhookView> {
    const { url, types, description, signature = 'hmac-sha256' } = body;
    const wanted = { url, types: allowed(types, request), description, signature };
    const created = await this.webhooks.create(callerOf(request), wanted);
    void reply.header('location', `${request.urls.base}/webhooks/${created.webhook.id}`);
    return createdView(created);
  }

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'listWebhooks', summary: 'Lista os webhooks do agente' })
  @ApiOkResponse({ type: WebhookListView })
  async list(@CurrentCaller() caller: Caller): Promise<WebhookListView> {
    return { items: (await this.webhooks.endpoints.of(caller)).map(webhookView) };
  }

  @Get(':id')
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'getWebhook', summary: 'Lê um webhook' })
  @ApiOkResponse({ type: WebhookView })
  @ApiErrors('webhook_not_found')
  async get(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<WebhookView> {
    return webhookView(await this.webhooks.endpoints.get(id, caller));
  }

  @Patch(':id')
  @LimitedBy('operations', OUTGOING)
  @ApiOperation({ operationId: 'changeWebhook', summary: 'Altera, pausa ou retoma um webhook' })
  @ApiOkResponse({ type: WebhookView })
  @ApiErrors('invalid_body', 'invalid_webhook', 'webhook_not_found')
  async change(
    @Param('id') id: string,
    @JsonBody(ChangeWebhookDto) body: ChangeWebhookDto,
    @Req() request: FastifyRequest,
  ): Promise<WebhookView> {
    const { url, types, description, enabled } = body;
    const change = { url, types: types && allowed(types, request), description, enabled };
    return webhookView(await this.webhooks.change(id, callerOf(request), change));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteWebhook', summary: 'Apaga um webhook' })
  @ApiNoContentResponse()
  @ApiErrors('webhook_not_found')
  delete(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.webhooks.remove(id, caller);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'rotateWebhookSecret', summary: 'Troca o segredo ou a chave de um webhook' })
  @ApiOkResponse({ type: WebhookSecretView })
  @ApiErrors('webhook_not_found')
  async rotate(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<WebhookSecretView> {
    return secretView(await this.webhooks.rotate(id, caller));
  }

  @Post(':id/test')
  @HttpCode(200)
  @LimitedBy('operations', OUTGOING)
  @ApiOperation({ operationId: 'testWebhook', summary: 'Envia uma mensagem de teste a um webhook' })
  @ApiOkResponse({ type: WebhookTestView })
  @ApiErrors('webhook_not_found')
  async test(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<WebhookTestView> {
    const responseStatus = await this.webhooks.test(id, caller);
    return { delivered: hasArrived(responseStatus), responseStatus };
  }

  @Get(':id/deliveries')
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'listWebhookDeliveries', summary: 'Lista as entregas de um webhook' })
  @ApiOkResponse({ type: DeliveryListView })
  @ApiErrors('webhook_not_found')
  async deliveries(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<DeliveryListView> {
    return { items: (await this.webhooks.listed(id, caller)).map(deliveryView) };
  }

  @Post(':id/deliveries/:eventId/resend')
  @HttpCode(200)
  @ApiOperation({ operationId: 'resendWebhookDelivery', summary: 'Envia um evento de novo a um webhook' })
  @ApiOkResponse({ type: DeliveryView })
  @ApiErrors('webhook_not_found')
  async resend(
    @Param('id') id: string,
    @Param('eventId') eventId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<DeliveryView> {
    return deliveryView(await this.webhooks.resend(id, caller, eventId));
  }

  @Post(':id/replay')
  @HttpCode(200)
  @ApiOperation({ operationId: 'replayWebhook', summary: 'Envia de novo tudo o que veio depois de um cursor' })
  @ApiOkResponse({ type: WebhookView })
  @ApiErrors('invalid_body', 'invalid_cursor', 'cursor_too_old', 'webhook_not_found')
  async replay(
    @Param('id') id: string,
    @JsonBody(ReplayWebhookDto) { after }: ReplayWebhookDto,
    @CurrentCaller() caller: Caller,
  ): Promise<WebhookView> {
    return webhookView(await this.webhooks.replay(id, caller, after));
  }
}

/** The types that are asked for, or all that the token is good for. @throws DomainError `insufficient_scope` where it is not good for one */
const allowed = (types: readonly EventType[] | undefined, request: FastifyRequest): readonly EventType[] => {
  const { scopes } = callerOf(request);
  const allowedTypes = typesFor(scopes);
  const wanted = types ?? allowedTypes;
  if (wanted.length > 0 && wanted.every((type) => allowedTypes.includes(type))) return wanted;
  const needed = new Set([...scopes, ...(wanted.length > 0 ? wanted : ALL).map((type) => EVENT_TYPES[type].scope)]);
  request.requiredScopes = SCOPES.filter((scope) => needed.has(scope));
  throw new DomainError('insufficient_scope');
};

const ALL = typesFor(SCOPES);
