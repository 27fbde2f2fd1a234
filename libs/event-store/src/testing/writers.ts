import process from 'node:process';
import { EmbeddedEventStore } from '../index.js';
import { sample } from './sample-events.js';

/** 64 writers, a stream each, until the process is killed; prints `<stream> <revision>` for each append it got. */
const [, , file = ''] = process.argv;
const store = await EmbeddedEventStore.open({ file });

const write = async (stream: string) => {
  for (let revision = 0; ; revision += 1) {
    await store.append(stream, revision - 1, [sample({ stream, revision })]);
    process.stdout.write(`${stream} ${revision}\n`); // to a pipe this is written before it returns
  }
};

await Promise.all(Array.from({ length: 64 }, (_, writer) => write(`${process.pid}-${writer}`)));
