import { guards, type Mutation } from '../mutation.js';

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
  ...guards(12, AGGREGATES, handle, {
    resending: [
      'unknown = error;',
      "return 'conflict';",
      'whoever decides anew finds that it is so already, and recovery goes on with what that one gave up',
    ],
  }),
  ...guards(
    12,
    'libs/event-store/src/event-log.program.embedded.ts',
    'libs/event-store/src/event-store.embedded.spec.ts',
    {
      'knowing a resend by its events': [
        '!== expectedRevision) return writtenBefore(stream, expectedRevision, events);',
        '!== expectedRevision) return null;',
        NO_FILE,
      ],
    },
  ),
  ...guards(13, AGGREGATES, handle, {
    'reading the tail first': [
      "if (appended !== 'conflict' && (appended || isRead)) {",
      "if (appended !== 'conflict') {",
      'it takes a process that books what another one captured, on a state from before the reservation: not once in a thousand lives',
    ],
  }),
  ...guards(14, AGGREGATES, handle, {
    'the deadline': [
      'if (now < deadline) return true;',
      'if (now < deadline + 5_000) return true;',
      'nobody in a life waits so long: what is answered late is answered right',
    ],
  }),
  ...guards(14, WRITER, file, {
    'the savepoint': [
      `    db.exec('ROLLBACK; BEGIN IMMEDIATE');
    return null;`,
      `    db.exec('ROLLBACK; BEGIN IMMEDIATE');
    return batch.map(() => ({ kind: 'failed', message: String(error), code: codeOf(error) }));`,
      NO_FILE,
    ],
    'ending the process': [
      'if (!isRefusal(error)) throw new Error(`the transaction failed: ${String(error)}`, { cause: error });',
      '',
      NO_FILE,
    ],
  }),
  ...guards(15, BATCH, handle, {
    'folding all events into the cache': [
      'const state = events.reduce(type.decider.evolve, folded.state);',
      'const state = events.slice(0, 1).reduce(type.decider.evolve, folded.state);',
    ],
  }),
  ...guards(15, 'libs/event-store/src/folded-streams.ts', snapshot, {
    'the hash of a snapshot’s event': [
      'if (!last.done && last.value.metadata.hash === start.hash) {',
      'if (!last.done) {',
      NO_SNAPSHOT,
    ],
  }),
  ...guards(15, SNAPSHOTS, snapshot, {
    'the keyed hash': ["if (!isOurs) throw new Error('the snapshot was not written with this key');", '', NO_SNAPSHOT],
    'the version of a snapshot': [
      'if (found?.body.version !== version) return null;',
      'if (!found) return null;',
      NO_SNAPSHOT,
    ],
  }),
  ...guards(15, 'libs/mandate/src/mandate.state.ts', 'libs/mandate/src/mandate.decider.properties.spec.ts', {
    'dropping old fences': [
      'const fences = standing(changes.fences ?? mandate.fences, latestAt);',
      'const fences = changes.fences ?? mandate.fences;',
      'it costs memory alone',
    ],
  }),
  ...guards(
    15,
    'libs/mandate/src/delegation/delegation.state.ts',
    'libs/mandate/src/delegation/delegation.decider.properties.spec.ts',
    {
      'forgetting closed mandates': [
        `    openMandates,
    ending: delegation.ending.filter`,
        '    ending: delegation.ending.filter',
      ],
    },
  ),
  ...guards(16, BATCH, handle, {
    'the stream’s last time': ['const now = latest(clock.now(), folded.occurredAt);', 'const now = clock.now();'],
  }),
  ...guards(16, 'libs/kernel/src/time-and-ids.port.ts', 'libs/kernel/src/time-and-ids.port.spec.ts', {
    'correcting forwards only': [
      'this.origin = Math.max(this.origin, milliseconds - performance.now());',
      'this.origin = milliseconds - performance.now();',
      'the clocks of a life are its own',
    ],
  }),
  ...guards(16, 'libs/mandate/src/mandate.state.ts', 'test/scenarios/revoking.spec.ts', {
    'that expiry is final': [
      'if (mandate.expiredAt !== null || now >= mandate.expiresAt)',
      'if (now >= mandate.expiresAt)',
      'a command is never stamped before the expiry that its stream has, so that a clock behind is told otherwise at most',
    ],
  }),
  ...guards(22, 'libs/checkout/src/ticket-stock.ts', 'libs/checkout/src/ticket-stock.spec.ts', {
    'where a block begins': ['first: next, last: next + size - 1', 'first: 1, last: next + size - 1'],
  }),
  ...guards(23, 'libs/event-store/src/stored-event.ts', 'libs/event-store/src/event-store.embedded.spec.ts', {
    'the leading zeros': ["place.toString().padStart(20, '0');", 'place.toString();'],
  }),
  ...guards(24, 'libs/read-models/src/folded-collection.ts', 'libs/read-models/src/projector.spec.ts', {
    'the position of a document': ['if (document && event.position <= document.position) return;', ''],
    'doing a batch again that another one was ahead of': [
      'return ahead.length === 0;',
      'return ahead.length >= 0;',
      'it takes two projectors that begin one document at the same moment, one with less of the log: not once in a thousand lives',
    ],
  }),
  ...guards(25, 'libs/read-models/src/read-models.ts', 'libs/read-models/src/read-models.spec.ts', {
    'waiting for what was written': [
      'if (end !== null) await this.reached([progress], end, this.patience);',
      'await Promise.resolve(end);',
      'a list that is behind is no wrong answer in a life, and soon is not behind',
    ],
  }),
  ...guards(26, 'libs/traffic/src/capture/traffic-recorder.ts', 'libs/traffic/src/capture/traffic-recorder.spec.ts', {
    'the frozen snapshot': [
      'this.snapshot ??= this.takeSnapshot();',
      'this.snapshot = this.takeSnapshot();',
      'traffic is counted at the HTTP edge, and a life has none',
    ],
  }),
  ...guards(27, 'libs/event-store/src/stored-event.ts', 'libs/event-store/src/encode.spec.ts', {
    'the hash of the event before': ["hashed.write(previous, 0, 'hex')", "hashed.write(CHAIN_START, 0, 'hex')"],
  }),
  ...guards(27, 'libs/event-store/src/stored-event.ts', handle, {
    'looking at the chain before folding': [
      'if (expectedHash(hash, event) !== event.metadata.hash) {',
      "if (expectedHash(hash, event) === '') {",
      NO_DAMAGE,
    ],
  }),
  ...guards(27, 'libs/identity/src/accounts/accounts.ts', 'test/e2e/log.spec.ts', {
    'random holder ids': [
      'this.stored.insertIfAbsent(this.ids.next(), { email',
      'this.stored.insertIfAbsent(normalized(email), { email',
      'a life has no accounts',
    ],
  }),
];
