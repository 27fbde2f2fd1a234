import { AccessDeniedError, jsonEvent, StreamNotFoundError, WrongExpectedVersionError } from '@eventstore/db-client';
import { Connection } from './connection.eventstoredb.js';
import type { EventStoreDbOptions } from './event-store.eventstoredb.js';
import { Namespace } from './names.eventstoredb.js';

/** What the login of a URL may do on an EventStoreDB, and how soon that answers. */
export interface EventStoreLook {
  /** Median time of a read. */
  readonly milliseconds: number;
  readonly mayRead: boolean;
  /** Whether it may read `$all`, as subscriptions, audit and sealing do. */
  readonly mayReadAll: boolean;
  readonly mayAppend: boolean;
}

/** No stream is that long: an append that expects it is refused, and writes nothing. */
const NEVER = 2n ** 53n;
const READS = 5;

/** Looks at an EventStoreDB, and writes nothing. Each call may take `patience` ms. @throws UnusableUrl, or the client's error */
export const look = async ({ url, namespace = '' }: EventStoreDbOptions, patience: number): Promise<EventStoreLook> => {
  const connection = new Connection(url);
  const { client } = connection.line;
  const stream = new Namespace(namespace).onServer('flight-doctor');
  const within = { deadline: patience };
  const times: number[] = [];
  const read = async () => {
    const before = performance.now();
    try {
      for await (const _ of client.readStream(stream, { ...within, maxCount: 1 }));
    } finally {
      times.push(performance.now() - before);
    }
  };
  const readAll = async () => {
    for await (const _ of client.readAll({ ...within, maxCount: 1 }));
  };
  const append = () =>
    client.appendToStream(stream, jsonEvent({ type: 'Look', data: {} }), { ...within, expectedRevision: NEVER });
  try {
    let mayRead = true;
    for (let reads = 0; reads < READS; reads += 1) mayRead = await isAllowed(read());
    return {
      milliseconds: times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0,
      mayRead,
      mayReadAll: await isAllowed(readAll()),
      mayAppend: await isAllowed(append()),
    };
  } finally {
    connection.close();
  }
};

/** A stream that is not there, or not as long as was said, is looked for by somebody who may. */
const isAllowed = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    (error: unknown) => {
      if (error instanceof StreamNotFoundError || error instanceof WrongExpectedVersionError) return true;
      if (error instanceof AccessDeniedError) return false;
      throw error;
    },
  );
