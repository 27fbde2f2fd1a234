import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import {
  type BaseUrls,
  callerOf,
  contextOf,
  docUrl,
  ERROR_CATALOGUE,
  IdempotentRequests,
  noteUnknown,
  withWarnings,
} from '#http';
import type { DomainError } from '#kernel';
import { Readers, type Tool } from './tool.js';

/** Runs tools on the bus and the readers of the API, for a request that has been let in. */
@Injectable()
export class ToolCalls {
  constructor(
    private readonly commands: CommandBus,
    private readonly readers: Readers,
    private readonly idempotent: IdempotentRequests,
  ) {}

  /** Runs a tool, warning of unknown names. @throws DomainError `unknown_member`, `invalid_arguments`, or one of the tool */
  async run(tool: Tool, given: object, reply: FastifyReply): Promise<object> {
    noteUnknown(reply, { in: 'arguments', form: tool.form, value: given });
    const view = await this.call(tool, given, reply);
    return tool.isWarning ? warningsFirst(withWarnings(view, reply.request)) : view;
  }

  private call(tool: Tool, given: object, reply: FastifyReply): Promise<object> {
    const { request } = reply;
    const { commands } = this;
    const { flights, ...scoped } = this.readers;
    const { urls } = request;
    if (tool.access === 'public') return tool.call(given, { flights, urls });
    return tool.call(given, {
      commands,
      ...scoped,
      urls,
      caller: callerOf(request),
      context: contextOf(request),
      // A key stands for one call, wherever in a request that is written.
      create: (creation) => this.idempotent.run(reply, creation, { tool: tool.name, arguments: given }),
    });
  }
}

/** An answer that begins with what is wrong with its request: clients cut a long one at its end. */
const warningsFirst = (view: { readonly warnings?: unknown }): object => {
  const { warnings, ...answer } = view;
  return warnings === undefined ? answer : { warnings, ...answer };
};

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

export const succeeded = (view: object): CallToolResult => resultOf(view, false);

/** Why not: the API's error with its status, and what else the API says of it, such as the `challenge`. */
export const refused = ({ code, details, members }: DomainError, urls: BaseUrls): CallToolResult => {
  const { status, message } = ERROR_CATALOGUE[code];
  const error = { error: code, message, status, ...(details && { details }), ...members };
  return resultOf({ ...error, doc_url: docUrl(code, urls) }, true);
};

export const ERROR_SCHEMA = {
  type: 'object' as const,
  properties: {
    error: { type: 'string', description: 'Código estável do erro.' },
    message: { type: 'string', description: 'Descrição para pessoas.' },
    status: { type: 'integer', description: 'O status HTTP que a API responde no mesmo caso.' },
    doc_url: { type: 'string', format: 'uri', description: 'A página que explica o erro.' },
  },
  required: ['error', 'message', 'status', 'doc_url'],
};
