import { ERROR_CATALOGUE } from '#http';
import type { DomainError } from '#kernel';

/** What a tool's call ends in (MCP, CallToolResult): the structure, and the same as text. */
export interface CallToolResult extends Record<string, unknown> {
  readonly content: [{ readonly type: 'text'; readonly text: string }];
  readonly structuredContent: Record<string, unknown>;
  readonly isError: boolean;
}

const resultOf = (structure: object, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structure) }],
  structuredContent: { ...structure },
  isError,
});

/** What was asked for. */
export const succeeded = (view: object): CallToolResult => resultOf(view, false);

/** Why not: the API's error with its status, and what else the API says of it, such as the `challenge`. */
export const refused = ({ code, details, members }: DomainError): CallToolResult => {
  const { status, message } = ERROR_CATALOGUE[code];
  return resultOf({ error: code, message, status, ...(details && { details }), ...members }, true);
};

/** The form of a refusal's structure. */
export const ERROR_SCHEMA = {
  type: 'object' as const,
  properties: {
    error: { type: 'string', description: 'Código estável do erro.' },
    message: { type: 'string', description: 'Descrição para pessoas.' },
    status: { type: 'integer', description: 'O status HTTP que a API responde no mesmo caso.' },
  },
  required: ['error', 'message', 'status'],
};
