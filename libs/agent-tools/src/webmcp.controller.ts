import { Controller, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiOAuth2,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiSchema,
  ApiTags,
} from '@nestjs/swagger';
import {
  AccessTokens,
  API,
  ApiErrors,
  authorize,
  ERROR_CATALOGUE,
  LimitedBy,
  Public,
  SentBody,
  WithoutWarnings,
} from '#http';
import { Allow } from 'class-validator';
import { DomainError } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tool } from './tool.js';
import { type CallToolResult, refused, succeeded, ToolCalls } from './run-tool.js';
import { toolNamed, TOOLS } from './tools/tools.js';

/** What a tool refuses by a result; all else is an error of the API (docs/decisions.md, Agent tools). */
const BUSINESS: readonly number[] = [402, 409, 422];

/** Body of `POST /webmcp/call` (docs/interface.md, endpoint 12). */
@ApiSchema({ name: 'CallTool' })
export class CallToolDto {
  @ApiProperty({ enum: TOOLS.map(({ name }) => name), description: 'O nome da ferramenta, como no manifesto.' })
  @Allow()
  readonly tool: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Os argumentos, na forma do inputSchema da ferramenta.',
    example: { q: 'recife' },
  })
  @Allow()
  readonly arguments: object;
}

@ApiSchema({ name: 'CallToolResult' })
class CallToolResultView {
  @ApiProperty({ type: 'array', items: { type: 'object' }, description: 'O mesmo que structuredContent, como texto.' })
  readonly content: readonly object[];

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'O que a ferramenta responde, na forma do seu outputSchema; ou a recusa, com error, status e doc_url.',
  })
  readonly structuredContent: object;

  @ApiProperty({ description: 'Se é uma recusa de negócio (402, 409 ou 422).' })
  readonly isError: boolean;
}

/** Where a tool that creates was called again with its key. */
const IDEMPOTENT_REPLAYED = { $ref: '#/components/headers/Idempotent-Replayed' };

/** The endpoint of the manifest's tools (docs/interface.md, endpoint 12). Each tool says itself what token it needs. */
@ApiTags('webmcp')
@Public()
@Controller(`${API}/webmcp`)
export class WebMcpController {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly calls: ToolCalls,
  ) {}

  /** Checks in the order of docs/decisions.md, Errors: body and tool, token, scopes, arguments, and then the command or query. */
  @Post('call')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @LimitedBy('publicReads', 3)
  @WithoutWarnings()
  @ApiOperation({
    operationId: 'callTool',
    summary: 'Chama uma ferramenta do manifesto WebMCP',
  })
  @ApiOAuth2([])
  @ApiBearerAuth()
  @ApiBody({ type: CallToolDto })
  @ApiOkResponse({ type: CallToolResultView, headers: { 'Idempotent-Replayed': IDEMPOTENT_REPLAYED } })
  @ApiErrors(
    'unknown_tool',
    'invalid_arguments',
    'invalid_idempotency_key',
    'mandate_forbidden',
    'flight_not_found',
    'booking_not_found',
    'mandate_not_found',
    'order_not_found',
    'ticket_not_found',
  )
  async call(
    @SentBody(CallToolDto) body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CallToolResult> {
    const { tool, given } = toolCallIn(body);
    request.tool = tool.name;
    if (tool.access === 'scoped') await authorize(this.tokens, tool.scopes, request, reply);
    try {
      return succeeded(await this.calls.run(tool, given, reply));
    } catch (error) {
      if (!(error instanceof DomainError && BUSINESS.includes(ERROR_CATALOGUE[error.code].status))) throw error;
      request.errorCode = error.code;
      return refused(error, request.urls);
    }
  }
}

export interface ToolCall {
  readonly tool: Tool;
  readonly given: object;
}

/** The call in a body. @throws DomainError `invalid_arguments` for what is no call at all, `unknown_tool` */
export const toolCallIn = (body: unknown): ToolCall => {
  if (!isObject(body)) throw invalid('body', 'deve ser um objeto com tool e arguments');
  const { tool: name, arguments: given } = body as Partial<Record<'tool' | 'arguments', unknown>>;
  const tool = toolNamed(name);
  if (!tool) throw new DomainError('unknown_tool');
  if (!isObject(given)) throw invalid('arguments', 'deve ser um objeto');
  return { tool, given };
};

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const invalid = (field: string, message: string): DomainError =>
  new DomainError('invalid_arguments', [{ field, message }]);
