import { BEGINNING } from '#event-store';
import { type AnyEvent, idOf } from '#events';
import type { Projection, RecordedEvent } from '#read-models';
import { NOW } from './scenario.js';

/** Documents by id after some events, each with its stream, were folded in this order, as the projector does it. */
export const projected = <Body extends object>(
  projection: Projection<Body>,
  ...events: readonly (readonly [stream: string, event: AnyEvent])[]
): Readonly<Record<string, Body>> => {
  const documents = new Map<string, Body>();
  for (const [stream, event] of events) {
    const actor = { holder: null, clientId: null };
    const recorded: RecordedEvent = {
      ...event,
      stream,
      id: idOf(stream),
      revision: 0,
      position: BEGINNING,
      occurredAt: NOW,
      actor,
    };
    for (const id of projection.documentsOf(recorded)) {
      const body = projection.evolve(documents.get(id) ?? null, recorded, id);
      if (body === null) documents.delete(id);
      else documents.set(id, body);
    }
  }
  return Object.fromEntries(documents);
};
