import { Controller, Delete, Get, Header, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Agents } from './delegation/agents.js';
import { capOf } from './delegation/spending-cap.rule.js';
import {
  AcceptsIdempotencyKey,
  API,
  ApiErrors,
  createdOf,
  CurrentCaller,
  CurrentRequest,
  IdempotentRequests,
  JsonBody,
  ListQueryDto,
  pageOf,
  PrivateRead,
  QueryString,
  type RequestContext,
  RequireScopes,
} from '#http';
import type { Caller } from '#kernel';
import { mandateOperation, readMandate, revokedMandate } from './mandate-requests.js';
import { CreateMandateDto, ListMandatesDto } from './mandate.dto.js';
import { statementLineView, StatementListView } from './mandate-statement.view.js';
import { MandateListView, mandateListView, MandateView } from './mandate.view.js';
import { Mandates } from './read-mandates/mandates.js';

/** Payment mandates (docs/interface.md, endpoints 8 and 9, and the reads of docs/decisions.md, Mandate). */
@ApiTags('mandates')
@Controller(`${API}/mandates`)
export class MandatesController {
  constructor(
    readonly commands: CommandBus,
    readonly mandates: Mandates,
    private readonly agents: Agents,
    private readonly idempotent: IdempotentRequests,
  ) {}

  @Post()
  @HttpCode(201)
  @RequireScopes('mandate:create')
  @AcceptsIdempotencyKey()
  @ApiOperation({ operationId: 'createMandate', summary: 'Cria um mandato de pagamento' })
  @ApiCreatedResponse({ type: MandateView })
  @ApiErrors(
    'invalid_body',
    'invalid_mandate_scope',
    'invalid_constraints',
    'unknown_member',
    'invalid_limit',
    'invalid_currency',
    'invalid_validity',
    'invalid_metadata',
    'mandate_cap_exceeded',
    'agents_paused',
  )
  async create(
    @JsonBody(CreateMandateDto) body: CreateMandateDto,
    @CurrentRequest() by: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MandateView> {
    const mandate = await this.idempotent.run(reply, mandateOperation(this, body, by));
    void reply.header('location', mandate.revocation.url);
    return mandate;
  }

  @Get()
  @RequireScopes('mandate:create')
  @PrivateRead('remainingSeconds')
  @ApiOperation({ operationId: 'listMandates', summary: 'Lista os mandatos do viajante, do mais novo ao mais antigo' })
  @ApiOkResponse({ type: MandateListView })
  @ApiErrors('invalid_query', 'invalid_cursor')
  async list(
    @QueryString(ListMandatesDto) query: ListMandatesDto,
    @CurrentRequest() { caller, urls }: RequestContext,
  ): Promise<MandateListView> {
    const { holder, clientId } = caller;
    const { page, metadata } = await this.mandates.attached.page(
      caller,
      pageOf(query),
      (part) => this.mandates.list(holder, query.status, part, createdOf(query)),
      ({ mandateId }) => mandateId,
    );
    const delegation = await this.agents.delegation(holder, clientId);
    return mandateListView(page, capOf(delegation), urls, metadata);
  }

  @Get(':id')
  @RequireScopes('mandate:create')
  @PrivateRead('remainingSeconds')
  @ApiOperation({ operationId: 'getMandate', summary: 'Lê um mandato' })
  @ApiOkResponse({ type: MandateView })
  @ApiErrors('mandate_forbidden', 'mandate_not_found')
  get(@Param('id') id: string, @CurrentRequest() { caller, urls }: RequestContext): Promise<MandateView> {
    return readMandate(this.mandates, id, caller, urls);
  }

  @Get(':id/events')
  @RequireScopes('mandate:create')
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'getMandateEvents', summary: 'Extrato de um mandato: o que aconteceu, em ordem' })
  @ApiOkResponse({ type: StatementListView })
  @ApiErrors('mandate_forbidden', 'mandate_not_found', 'invalid_query', 'invalid_cursor')
  async statement(
    @Param('id') id: string,
    @QueryString(ListQueryDto) query: ListQueryDto,
    @CurrentCaller() { holder }: Caller,
  ) {
    const page = await this.mandates.statement(id, holder, pageOf(query));
    return { ...page, items: page.items.map(statementLineView) };
  }

  @Delete(':id')
  @RequireScopes('mandate:create')
  @ApiOperation({ operationId: 'revokeMandate', summary: 'Revoga um mandato' })
  @ApiOkResponse({ type: MandateView })
  @ApiErrors('mandate_forbidden', 'mandate_not_found')
  revoke(@Param('id') id: string, @CurrentRequest() by: RequestContext): Promise<MandateView> {
    return revokedMandate(this, id, by);
  }
}
