import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  JSONRPCRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from '../tool.js';
import { toolNamed } from '../tools/tools.js';

/**
 * The tool that a JSON-RPC message calls; undefined where it calls none that there is. A name that is told twice is the
 * one the protocol will read: both read the parsed body.
 */
export const toolCalledBy = (message: unknown): Tool | undefined =>
  callsTool(message) ? toolNamed(asRecord(asRecord(message)['params'])['name']) : undefined;

/** Whether a JSON-RPC message calls a tool, be there one of its name or not. */
export const callsTool = (message: unknown): boolean => asRecord(message)['method'] === 'tools/call';

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

interface Form {
  readonly safeParse: (message: unknown) => { readonly success: boolean };
}

/** The forms of the requests that are answered. */
const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['initialize', InitializeRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['tools/call', CallToolRequestSchema],
]);

/**
 * The answer to a request whose parameters are of no good form; null where they are, or where it is for the protocol to
 * say what is wrong. Left to the SDK, it would be an error of ours that tells how it is made (JSON-RPC 2.0 §5.1).
 */
export const refusalOfForm = (message: unknown): object | null => {
  const { success, data } = JSONRPCRequestSchema.safeParse(message);
  if (!success || FORMS.get(data.method)?.safeParse(message).success !== false) return null;
  const error = { code: ErrorCode.InvalidParams, message: 'Os parâmetros da mensagem são inválidos.' };
  return { jsonrpc: '2.0', id: data.id, error };
};
