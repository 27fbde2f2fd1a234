/**
 * The service, which dies of SIGKILL at one step: `node killed-at.js before|after <call>`, the environment as for the
 * service. Calls: `append <event type>`, `insert <collection>`, `replace <collection>`.
 */
import process from 'node:process';
import { EmbeddedDocuments } from '#documents';
import { EmbeddedEventStore } from '#event-store';

const [, , when, call] = process.argv;

/** Dies before or after the work of the step. */
const step = async (name, work) => {
  const isThere = name === call;
  if (isThere && when === 'before') process.kill(process.pid, 'SIGKILL');
  const result = await work();
  if (isThere && when === 'after') process.kill(process.pid, 'SIGKILL');
  return result;
};

const { append } = EmbeddedEventStore.prototype;
EmbeddedEventStore.prototype.append = function (stream, revision, events) {
  return step(`append ${events[0].type}`, () => append.call(this, stream, revision, events));
};

const { insert, replace } = EmbeddedDocuments.prototype;
EmbeddedDocuments.prototype.insert = function (collection, ...rest) {
  return step(`insert ${collection}`, () => insert.call(this, collection, ...rest));
};
EmbeddedDocuments.prototype.replace = function (collection, ...rest) {
  return step(`replace ${collection}`, () => replace.call(this, collection, ...rest));
};

await import('../../dist/apps/api/src/main.js');
