/** Builds the tree in the writing thread of the read models' file. Whatever is imported here costs every start its time. */
import { EmbeddedDocuments, type WorkOnDocuments } from '#documents';
import { EmbeddedEventStore, type Position } from '#event-store';
import { SystemClock } from '#kernel';
import { Pseudonyms } from './pseudonyms.js';
import { type Grown, StoredTiles } from './stored-tiles.js';
import { TreeBuilder } from './tree-builder.js';

export interface GrowingThreadData {
  readonly log: string;
  /** The key of the pseudonyms. */
  readonly secret: Uint8Array;
}

/** A message to the thread. When it has stopped it closes the port; every other order has one answer. An object: grow. */
export type Order = { readonly markedAfter: Position } | 'startOver' | 'stop';

/** An answer: how far the tree is, or why it is not; neither where it starts over. */
export interface Outcome {
  readonly grown?: Grown;
  readonly error?: { readonly message: string; readonly stack: string | undefined };
}

export const work: WorkOnDocuments<GrowingThreadData> = async (file, port, { log, secret }) => {
  const clock = new SystemClock();
  const tiles = new StoredTiles(EmbeddedDocuments.over(file, clock));
  const events = await EmbeddedEventStore.openToRead(log);
  await tiles.prepare();
  const builder = new TreeBuilder({ events, tiles, pseudonyms: new Pseudonyms(secret), clock });
  let working: Promise<void> = Promise.resolve();
  const carryOut = async (order: Exclude<Order, 'stop'>): Promise<void> => {
    try {
      if (order === 'startOver') await builder.startOver();
      const outcome: Outcome = order === 'startOver' ? {} : { grown: await builder.grow(order.markedAfter) };
      port.postMessage(outcome);
    } catch (error) {
      const [message, stack] = error instanceof Error ? [error.message, error.stack] : [String(error), undefined];
      port.postMessage({ error: { message, stack } } satisfies Outcome);
    }
  };
  const end = async (): Promise<void> => {
    await builder.stop();
    await working;
    await events.close();
    port.close();
  };
  port.on('message', (order: Order) => {
    if (order === 'stop') void end();
    else working = carryOut(order);
  });
};
