import { BEGINNING } from '#event-store';
import { type AnyEvent, idOf } from '#events';
import { type Actor, type Party, partyIn, SYSTEM } from '#kernel';
import type { Projection, RecordedEvent } from '#read-models';
import { NOW } from './scenario.js';

/** Documents by id after some events were folded in this order: each with its stream, by the system and about its actor unless others are named. */
export const projected = <Body extends object>(
  projection: Projection<Body>,
  ...events: readonly (readonly [stream: string, event: AnyEvent, actor?: Actor, party?: Party])[]
): Readonly<Record<string, Body>> => {
  const documents = new Map<string, Body>();
  for (const [stream, event, actor = SYSTEM, party = partyIn(actor)] of events) {
    const recorded: RecordedEvent = {
      ...event,
      stream,
      id: idOf(stream),
      revision: 0,
      position: BEGINNING,
      occurredAt: NOW,
      actor,
      party,
    };
    for (const id of projection.documentsOf(recorded)) {
      const body = projection.evolve(documents.get(id) ?? null, recorded, id);
      if (body === null) documents.delete(id);
      else documents.set(id, body);
    }
  }
  return Object.fromEntries(documents);
};
