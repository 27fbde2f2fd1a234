import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDocuments } from '#documents';
import { Aggregates, EmbeddedEventStore } from '#event-store';
import { RandomIds } from '#kernel';
import { FixedClock } from '#testing';

/** An embedded document store in a folder of its own. */
export const openTestDocuments = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oauth-'));
  const clock = new FixedClock();
  const documents = await EmbeddedDocuments.open({ file: join(folder, 'documents.db'), durability: 'normal', clock });
  const close = async (): Promise<void> => {
    await documents.close();
    rmSync(folder, { recursive: true });
  };
  return { documents, clock, folder, close };
};

/** Such a store with an event log beside it. */
export const openTestStores = async () => {
  const { close, ...rest } = await openTestDocuments();
  const eventStore = await EmbeddedEventStore.open({ file: join(rest.folder, 'events.db') });
  const aggregates = new Aggregates(eventStore, rest.clock, new RandomIds());
  const closeBoth = async (): Promise<void> => {
    await eventStore.close();
    await close();
  };
  return { ...rest, eventStore, aggregates, close: closeBoth };
};
