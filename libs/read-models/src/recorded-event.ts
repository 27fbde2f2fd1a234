import type { StoredEvent } from '#event-store';
import { decode } from '#events';
import type { RecordedEvent } from './projection.js';

/**
 * A stored event as projections see it.
 *
 * @throws UnreadableEvent
 */
export const recorded = ({ stream, revision, position, type, data, metadata }: StoredEvent): RecordedEvent => {
  const { schemaVersion, occurredAt, actor } = metadata;
  return { ...decode({ stream, type, data, schemaVersion }), stream, revision, position, occurredAt, actor };
};
