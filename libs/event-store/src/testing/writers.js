/**
 * 64 writers, each on a stream of its own, until somebody kills the process. Prints `<stream> <revision>` for every
 * append that was acknowledged. Arguments: URL of the compiled library, the log's file.
 */
import { randomUUID } from 'node:crypto';
import process from 'node:process';

const [, , library, file] = process.argv;
const { EmbeddedEventStore } = await import(library);
const store = await EmbeddedEventStore.open({ file });

const event = (data) => ({
  type: 'Noted',
  data,
  metadata: { eventId: randomUUID(), occurredAt: '2026-01-15T12:00:00.000Z', schemaVersion: 1, hash: 'ab'.repeat(32) },
});

const write = async (stream) => {
  for (let revision = 0; ; revision += 1) {
    await store.append(stream, revision - 1, [event({ stream, revision })]);
    process.stdout.write(`${stream} ${revision}\n`); // to a pipe this is written before it returns
  }
};

await Promise.all(Array.from({ length: 64 }, (_, writer) => write(`${process.pid}-${writer}`)));
