import type { Scope } from '#kernel';
import { EVENT_TYPES, isEventType, OUTGOING } from '#outbox';
import type { Tool } from '../tool.js';
import { toolNamed } from '../tools/tools.js';
import { templateOf } from './resources.js';

/** What a JSON-RPC message is about, from the parsed body: of a name that is sent twice, the one that the protocol reads. */
export interface About {
  /** Whether it calls a tool, be there one of its name or not. */
  readonly callsTool: boolean;
  /** The tool it calls; undefined where it calls none that there is. */
  readonly tool: Tool | undefined;
  readonly given: unknown;
  readonly scopes: readonly Scope[];
  /** As how much it counts in all; 0: as any message does. */
  readonly weight: number;
}

export const aboutOf = (message: unknown): About => {
  const { method, params } = asRecord(message);
  const { name, arguments: given, uri } = asRecord(params);
  const tool = method === 'tools/call' ? toolNamed(name) : undefined;
  const read = method === 'resources/read' ? templateOf(uri) : undefined;
  const subscribes = method === 'events/subscribe' || method === 'events/unsubscribe';
  const scopes = tool?.scopes ?? read?.scopes ?? (subscribes ? scopesOfEvent(name) : []);
  const weight = read?.weight ?? (method === 'events/subscribe' ? OUTGOING : 0);
  return { callsTool: method === 'tools/call', tool, given, scopes, weight };
};

const scopesOfEvent = (name: unknown): readonly Scope[] => [
  ...(typeof name === 'string' && isEventType(name) ? [EVENT_TYPES[name].scope] : []),
  'webhook:manage',
];

export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
