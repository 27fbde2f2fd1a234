import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DomainError } from '#kernel';
import { type Tool } from '../tool.js';
import { toolNamed, TOOLS } from '../tools/tools.js';

/** Body of `POST /webmcp/call` (docs/interface.md, endpoint 12). */
@ApiSchema({ name: 'CallTool' })
export class CallToolDto {
  @ApiProperty({ enum: TOOLS.map(({ name }) => name), description: 'O nome da ferramenta, como no manifesto.' })
  readonly tool: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Os argumentos, na forma do inputSchema da ferramenta.',
    example: { q: 'recife' },
  })
  readonly arguments: object;
}

/** A call as it was sent, whose tool there is. */
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
