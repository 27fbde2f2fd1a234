import type { Mutation } from '../mutation.js';

const AGGREGATES = 'libs/event-store/src/aggregates.ts';
const BATCH = 'libs/event-store/src/command-batch.ts';
const WRITER = 'libs/sqlite/src/writer.embedded.ts';
const SNAPSHOTS = 'libs/event-store/src/snapshots.ts';
const handle = 'libs/event-store/src/aggregates.spec.ts';
const file = 'libs/sqlite/src/sqlite-file.embedded.spec.ts';
const snapshot = 'libs/event-store/src/snapshots.spec.ts';

const NO_FILE = 'a life has its stores in memory: this is the file’s';
const NO_DAMAGE = 'nothing changes what a life has stored: test/storage damages the files themselves';
const NO_SNAPSHOT = 'a snapshot comes after a thousand events of one stream, and a life has fewer';

/** The guards of one command on one stream, of the log, the lists and the traffic: rules 12 to 16 and 22 to 27. */
export const LOG_GUARDS: readonly Mutation[] = [
  {
    rule: 12,
    name: 'resending',
    file: AGGREGATES,
    from: 'unknown = error;',
    to: "return 'conflict';",
    spec: handle,
    beyond: 'whoever decides anew finds that it is so already, and recovery goes on with what that one gave up',
  },
  {
    rule: 12,
    name: 'knowing a resend by its events',
    file: 'libs/event-store/src/event-log.program.embedded.ts',
    from: '!== expectedRevision) return writtenBefore(stream, expectedRevision, events);',
    to: '!== expectedRevision) return null;',
    spec: 'libs/event-store/src/event-store.embedded.spec.ts',
    beyond: NO_FILE,
  },
  {
    rule: 13,
    name: 'reading the tail first',
    file: AGGREGATES,
    from: 'let vouched = known === undefined;',
    to: 'let vouched = true;',
    spec: handle,
    beyond:
      'it takes a process that books what another one captured, on a state from before the reservation: not once in a thousand lives',
  },
  {
    rule: 14,
    name: 'the deadline',
    file: AGGREGATES,
    from: 'if (now < deadline) return true;',
    to: 'if (now < deadline + 5_000) return true;',
    spec: handle,
    beyond: 'nobody in a life waits so long: what is answered late is answered right',
  },
  {
    rule: 14,
    name: 'the savepoint',
    file: WRITER,
    from: `    db.exec('ROLLBACK; BEGIN IMMEDIATE');
    return null;`,
    to: `    db.exec('ROLLBACK; BEGIN IMMEDIATE');
    return batch.map(() => ({ kind: 'failed', message: String(error), code: codeOf(error) }));`,
    spec: file,
    beyond: NO_FILE,
  },
  {
    rule: 14,
    name: 'ending the process',
    file: WRITER,
    from: 'if (!isRefusal(error)) throw new Error(`the transaction failed: ${String(error)}`, { cause: error });',
    to: '',
    spec: file,
    beyond: NO_FILE,
  },
  {
    rule: 15,
    name: 'folding all events into the cache',
    file: BATCH,
    from: 'const state = events.reduce(type.decider.evolve, folded.state);',
    to: 'const state = events.slice(0, 1).reduce(type.decider.evolve, folded.state);',
    spec: handle,
  },
  {
    rule: 15,
    name: 'the hash of a snapshot’s event',
    file: 'libs/event-store/src/folded-streams.ts',
    from: 'if (!last.done && last.value.metadata.hash === start.hash) {',
    to: 'if (!last.done) {',
    spec: snapshot,
    beyond: NO_SNAPSHOT,
  },
  {
    rule: 15,
    name: 'the keyed hash',
    file: SNAPSHOTS,
    from: "if (!isOurs) throw new Error('the snapshot was not written with this key');",
    to: '',
    spec: snapshot,
    beyond: NO_SNAPSHOT,
  },
  {
    rule: 15,
    name: 'the version of a snapshot',
    file: SNAPSHOTS,
    from: 'if (found?.body.version !== version) return null;',
    to: 'if (!found) return null;',
    spec: snapshot,
    beyond: NO_SNAPSHOT,
  },
  {
    rule: 15,
    name: 'dropping old fences',
    file: 'libs/mandate/src/mandate.state.ts',
    from: 'fences: standing(changes.fences ?? mandate.fences, latestAt) };',
    to: 'fences: changes.fences ?? mandate.fences };',
    spec: 'libs/mandate/src/mandate.decider.properties.spec.ts',
    beyond: 'it costs memory alone',
  },
  {
    rule: 15,
    name: 'forgetting closed mandates',
    file: 'libs/mandate/src/delegation/delegation.decider.ts',
    from: `    openMandates,
    ending: delegation.ending.filter`,
    to: '    ending: delegation.ending.filter',
    spec: 'libs/mandate/src/delegation/delegation.decider.properties.spec.ts',
  },
  {
    rule: 16,
    name: 'the stream’s last time',
    file: BATCH,
    from: 'const now = latest(clock.now(), folded.occurredAt);',
    to: 'const now = clock.now();',
    spec: handle,
  },
  {
    rule: 16,
    name: 'correcting forwards only',
    file: 'libs/kernel/src/clock.port.ts',
    from: 'this.origin = Math.max(this.origin, milliseconds - performance.now());',
    to: 'this.origin = milliseconds - performance.now();',
    spec: 'libs/kernel/src/clock.port.spec.ts',
    beyond: 'the clocks of a life are its own',
  },
  {
    rule: 16,
    name: 'that expiry is final',
    file: 'libs/mandate/src/mandate.state.ts',
    from: 'if (mandate.expiredAt !== null || now >= mandate.expiresAt)',
    to: 'if (now >= mandate.expiresAt)',
    spec: 'test/scenarios/revoking.spec.ts',
    beyond:
      'a command is never stamped before the expiry that its stream has, so that a clock behind is told otherwise at most',
  },
  {
    rule: 22,
    name: 'where a block begins',
    file: 'libs/order/src/checkout/ticket-stock.decider.ts',
    from: 'first: next, last: next + size - 1',
    to: 'first: 1, last: next + size - 1',
    spec: 'libs/order/src/checkout/ticket-stock.spec.ts',
  },
  {
    rule: 23,
    name: 'the leading zeros',
    file: 'libs/event-store/src/stored-event.ts',
    from: "place.toString().padStart(20, '0');",
    to: 'place.toString();',
    spec: 'libs/event-store/src/event-store.embedded.spec.ts',
  },
  {
    rule: 24,
    name: 'the position of a document',
    file: 'libs/read-models/src/folded-collection.ts',
    from: 'if (document && event.position <= document.position) return;',
    to: '',
    spec: 'libs/read-models/src/projector.spec.ts',
  },
  {
    rule: 24,
    name: 'doing a batch again that another one was ahead of',
    file: 'libs/read-models/src/folded-collection.ts',
    from: 'return ahead.length === 0;',
    to: 'return ahead.length >= 0;',
    spec: 'libs/read-models/src/projector.spec.ts',
    beyond:
      'it takes two projectors that begin one document at the same moment, one with less of the log: not once in a thousand lives',
  },
  {
    rule: 25,
    name: 'waiting for the lists',
    file: 'libs/order/src/place-order/place-order.ts',
    from: 'await Promise.all(positions.map(([type, position]) => this.readModels.waitFor(type, position)));',
    to: 'await Promise.resolve(positions);',
    spec: 'test/e2e/waits.spec.ts',
    beyond: 'a list that is behind is no wrong answer in a life, and soon is not behind',
  },
  {
    rule: 26,
    name: 'the frozen snapshot',
    file: 'libs/traffic/src/capture/traffic-recorder.ts',
    from: 'this.snapshot ??= this.takeSnapshot();',
    to: 'this.snapshot = this.takeSnapshot();',
    spec: 'libs/traffic/src/capture/traffic-recorder.spec.ts',
    beyond: 'traffic is counted at the HTTP edge, and a life has none',
  },
  {
    rule: 27,
    name: 'the hash of the event before',
    file: 'libs/event-store/src/encode.ts',
    from: ".update(previous, 'hex')",
    to: ".update(CHAIN_START, 'hex').update(previous.slice(64))",
    spec: 'libs/event-store/src/encode.spec.ts',
  },
  {
    rule: 27,
    name: 'looking at the chain before folding',
    file: 'libs/event-store/src/encode.ts',
    from: 'if (expectedHash(hash, event) !== event.metadata.hash) {',
    to: "if (expectedHash(hash, event) === '') {",
    spec: handle,
    beyond: NO_DAMAGE,
  },
  {
    rule: 27,
    name: 'random holder ids',
    file: 'libs/identity/src/accounts/accounts.ts',
    from: 'const holder = this.ids.next();',
    to: 'const holder = normalized(email);',
    spec: 'test/e2e/log.spec.ts',
    beyond: 'a life has no accounts',
  },
];
