import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Caller, Context } from '#kernel';
import type { BaseUrls } from './base-urls.js';

/** Where commands and queries go. */
export interface Buses {
  readonly commands: CommandBus;
  readonly queries: QueryBus;
}

/** Who asks for something to be done: the caller, why it will be written, and the addresses of the answer's links. */
export interface RequestContext {
  readonly caller: Caller;
  readonly context: Context;
  readonly urls: BaseUrls;
}
