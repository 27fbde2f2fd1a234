import type { Tool } from '../tool.js';
import { toolNamed } from '../tools/tools.js';

/**
 * The tool that a JSON-RPC message calls; undefined where it calls none that there is. A name that is told twice is the
 * one the protocol will read: both read the parsed body.
 */
export const toolCalledBy = (message: unknown): Tool | undefined => {
  const { method, params } = asRecord(message);
  return method === 'tools/call' ? toolNamed(asRecord(params)['name']) : undefined;
};

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
