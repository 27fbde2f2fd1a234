import { Injectable, type Type } from '@nestjs/common';
import type { CommandBus } from '@nestjs/cqrs';
import {
  type BaseUrls,
  type Form,
  formOf,
  type IdempotentOperation,
  type ObjectSchema,
  type RequestContext,
  schemaOf,
  validated,
  warningsSchema,
  WarningView,
} from '#http';
import { DomainError, type Scope } from '#kernel';
import { Bookings } from '#booking';
import { FlightDocuments } from '#catalog';
import { Mandates } from '#mandate';
import { Cancellations, Orders } from '#order';
import type { ToolName } from './tools/tools-english.js';

/** What a tool may do, for who decides whether to ask first (MCP, ToolAnnotations; WebMCP adds the last). */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether an answer may hold text of strangers, which an agent must not obey. */
  readonly untrustedContentHint: boolean;
}

interface Description {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly annotations: Annotations;
  /** The form of what it answers where it refuses nothing. */
  readonly outputSchema: ObjectSchema;
}

interface Taking {
  readonly inputSchema: ObjectSchema;
  readonly form: Form;
  /** Whether it warns of arguments that it does not know. What is the same at every read does not. */
  readonly isWarning: boolean;
}

export interface PublicCall extends Pick<Readers, 'flights'> {
  readonly urls: BaseUrls;
}

export interface ScopedCall extends Omit<Readers, 'flights'>, RequestContext {
  readonly commands: CommandBus;
  /** Creates once, whatever the request's `Idempotency-Key` says was sent before. */
  readonly create: <View extends object>(creation: IdempotentOperation<View>) => Promise<View>;
}

/** A tool that needs no token. */
export interface PublicTool extends Description, Taking {
  readonly access: 'public';
  readonly scopes: readonly [];
  /** Checks the arguments and answers. @throws DomainError */
  readonly call: (given: object, by: PublicCall) => Promise<object>;
}

/** A tool that needs a token with all of its scopes. */
export interface ScopedTool extends Description, Taking {
  readonly access: 'scoped';
  readonly scopes: readonly [Scope, ...Scope[]];
  /** Checks the arguments and answers. @throws DomainError */
  readonly call: (given: object, by: ScopedCall) => Promise<object>;
}

export type Tool = PublicTool | ScopedTool;

/** How a tool is written down: `run` is the command or query it stands for. */
interface Entry<Args extends object, Call> extends Description {
  readonly input: Input<Args>;
  /** Left out: it does. */
  readonly isWarning?: false;
  readonly run: (args: Args, by: Call) => Promise<object>;
}

export const publicTool = <Args extends object>(entry: Entry<Args, PublicCall>): PublicTool => ({
  ...describedBy(entry),
  access: 'public',
  scopes: [],
  call: async (given, by) => entry.run(entry.input.read(given), by),
});

export const scopedTool = <Args extends object>(
  entry: Entry<Args, ScopedCall> & Pick<ScopedTool, 'scopes'>,
): ScopedTool => ({
  ...describedBy(entry),
  access: 'scoped',
  scopes: entry.scopes,
  call: async (given, by) => entry.run(entry.input.read(given), by),
});

const describedBy = <Args extends object, Call>(entry: Entry<Args, Call>): Description & Taking => {
  const { name, title, description, annotations, input, outputSchema, isWarning = true } = entry;
  const { schema: inputSchema, form } = input;
  const answers = isWarning ? warned(outputSchema) : outputSchema;
  return { name, title, description, annotations, inputSchema, form, isWarning, outputSchema: answers };
};

const warned = ({ properties, ...schema }: ObjectSchema): ObjectSchema => ({
  ...schema,
  properties: { ...properties, warnings: warningsSchema(schemaOf(WarningView)) },
});

export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  untrustedContentHint: false,
};

/** Adds something new at every call. */
export const CREATES: Annotations = { ...READS, readOnlyHint: false, idempotentHint: false };

/** Replaces or ends what there is; a second call changes nothing more. */
export const CHANGES: Annotations = { ...READS, readOnlyHint: false, destructiveHint: true };

/** What a tool takes: the form of its arguments, and how given ones are checked by it. */
export interface Input<Args extends object> {
  readonly schema: ObjectSchema;
  readonly form: Form;
  /** @throws DomainError `invalid_arguments`, with what the DTO says of each field */
  readonly read: (given: object) => Args;
}

export const fromBody = <Args extends object>(dto: Type<Args>): Input<Args> => ({
  schema: schemaOf(dto, true),
  form: formOf(dto),
  read: (given) => checked(dto, given),
});

/** Arguments in the form of the API's path and query, where every value is a text: here an integer is one. */
export const fromQuery = <Args extends object>(dto: Type<Args>): Input<Args> => {
  const schema = schemaOf(dto, true);
  return { schema, form: formOf(dto), read: (given) => checked(dto, asTexts(given, schema)) };
};

const checked = <Args extends object>(dto: Type<Args>, given: object): Args => {
  try {
    return validated(dto, given);
  } catch (error) {
    throw error instanceof DomainError ? new DomainError('invalid_arguments', error.details, { cause: error }) : error;
  }
};

/** An integer as the text it is in a query; a text in an integer's place is as wrong as any other value. */
const asTexts = (given: object, { properties }: ObjectSchema): object =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]: [string, unknown]) => {
      if (properties[name]?.type !== 'integer') return [name, value];
      return [name, typeof value === 'number' ? String(value) : null];
    }),
  );

@Injectable()
export class Readers {
  constructor(
    readonly flights: FlightDocuments,
    readonly bookings: Bookings,
    readonly mandates: Mandates,
    readonly orders: Orders,
    readonly cancellations: Cancellations,
  ) {}
}
