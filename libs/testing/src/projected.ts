import { BEGINNING } from '#event-store';
import { type AnyEvent, idOf } from '#events';
import { type Actor, partyIn, SYSTEM } from '#kernel';
import type { Projection, RecordedEvent } from '#read-models';
import { NOW } from './scenario.js';

/** Documents by id after some events, each with its stream, and by the system unless an actor is named, were folded in this order. */
export const projected = <Body extends object>(
  projection: Projection<Body>,
  ...events: readonly (readonly [stream: string, event: AnyEvent, actor?: Actor])[]
): Readonly<Record<string, Body>> => {
  const documents = new Map<string, Body>();
  for (const [stream, event, actor = SYSTEM] of events) {
    const recorded: RecordedEvent = {
      ...event,
      stream,
      id: idOf(stream),
      revision: 0,
      position: BEGINNING,
      occurredAt: NOW,
      actor,
      party: partyIn(actor),
    };
    for (const id of projection.documentsOf(recorded)) {
      const body = projection.evolve(documents.get(id) ?? null, recorded, id);
      if (body === null) documents.delete(id);
      else documents.set(id, body);
    }
  }
  return Object.fromEntries(documents);
};
