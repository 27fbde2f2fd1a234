import { guards, type Mutation } from '../mutation.js';

const WRITER = 'libs/outbox/src/outbox-writer.thread.ts';
const writer = 'libs/outbox/src/outbox-writer.spec.ts';
const SENDER = 'libs/outbox/src/webhooks/sender.ts';
const dispatcher = 'libs/outbox/src/webhooks/dispatcher.spec.ts';
const NOBODY_LISTENS = 'nobody asks for events while a life goes on';

/** The guards of public events: rules 39 and 40. */
export const EVENT_GUARDS: readonly Mutation[] = [
  ...guards(39, 'libs/outbox/src/outbox.ts', writer, {
    'that a batch is shown once it is whole': [
      'const upTo = end === undefined ? await this.end() : end;',
      "const upTo = '9';",
      NOBODY_LISTENS,
    ],
  }),
  ...guards(39, WRITER, writer, {
    'that places are there before the checkpoint is': [
      'await writePlaces(this.parts.store, places);',
      'if (before) await writePlaces(this.parts.store, places);',
      NOBODY_LISTENS,
    ],
    'that an agent has one place of a cancelled flight': [
      'const place = places.get(agent) ?? number;',
      'const place = number;',
      NOBODY_LISTENS,
    ],
  }),
  ...guards(39, 'libs/outbox/src/mandates-before.ts', writer, {
    'that a mandate is the one of before the event': ['if (earlier.revision >= revision) break;', '', NOBODY_LISTENS],
  }),
  ...guards(40, SENDER, dispatcher, {
    'that one pass at a time sends to an endpoint': [
      'this.running ??= this.run()',
      'this.running = this.run()',
      NOBODY_LISTENS,
    ],
    'that what failed holds those behind it': [
      'if (!(await this.deliver(place, waiting, round))) blocked = null;',
      'await this.deliver(place, waiting, round);',
      NOBODY_LISTENS,
    ],
    'that what is held is kept': ['} else if (!waiting) behind.push(place);', '}', NOBODY_LISTENS],
    'that what failed is kept': [
      'if (next !== null) await this.keep({ ...tried, nextAt: instantOf(next) });',
      'if (next !== null) void tried;',
      NOBODY_LISTENS,
    ],
    'that nothing after the end of its agent is read': [
      'const places = last < 0 ? read : read.slice(0, last + 1);',
      'const places = read;',
      NOBODY_LISTENS,
    ],
    'that an endpoint that ends reads nothing more': ['isEnding ? 0 : Math.min(', 'Math.min(', NOBODY_LISTENS],
  }),
  ...guards(40, 'libs/outbox/src/webhooks/lanes.ts', dispatcher, {
    'that those of a lane go one after the other': [
      'else lanes.set(item.place.lane, [item]);',
      'else lanes.set(item.place.key, [item]);',
      NOBODY_LISTENS,
    ],
  }),
  ...guards(40, 'libs/outbox/src/webhooks/progress.ts', 'libs/outbox/src/webhooks/progress.spec.ts', {
    'that a replay is not undone': [
      'if (body?.cursor !== this.stored || body.createdAt',
      'if (body?.createdAt',
      NOBODY_LISTENS,
    ],
  }),
];
