import process from 'node:process';
import { EmbeddedEventStore } from '../index.js';
import { sample } from './sample-events.js';

/**
 * 64 writers, each on a stream of its own, until somebody kills the process. It prints `<stream> <revision>` for every
 * append that was acknowledged. Argument: the log's file.
 */
const [, , file = ''] = process.argv;
const store = await EmbeddedEventStore.open({ file });

const write = async (stream: string) => {
  for (let revision = 0; ; revision += 1) {
    await store.append(stream, revision - 1, [sample({ stream, revision })]);
    process.stdout.write(`${stream} ${revision}\n`); // to a pipe this is written before it returns
  }
};

await Promise.all(Array.from({ length: 64 }, (_, writer) => write(`${process.pid}-${writer}`)));
