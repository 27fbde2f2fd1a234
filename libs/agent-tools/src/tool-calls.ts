import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { callerOf, contextOf, IdempotentRequests } from '#http';
import type { FastifyReply } from 'fastify';
import type { Tool } from './tool.js';

/** Runs tools on the buses of the API, for a request that has been let in. */
@Injectable()
export class ToolCalls {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly idempotent: IdempotentRequests,
  ) {}

  /**
   * What the tool answers. A scoped tool's request carries its caller already.
   *
   * @throws DomainError `invalid_arguments`, or one of the command or query
   */
  run(tool: Tool, given: object, reply: FastifyReply): Promise<object> {
    const { request } = reply;
    const { commands, queries } = this;
    const { urls } = request;
    if (tool.access === 'public') return tool.call(given, { queries, urls });
    return tool.call(given, {
      commands,
      queries,
      urls,
      caller: callerOf(request),
      context: contextOf(request),
      // A key stands for one call, wherever in a request that is written.
      create: (creation) => this.idempotent.run(reply, creation, { tool: tool.name, arguments: given }),
    });
  }
}
