import { guards, type Mutation } from '../mutation.js';

const WRITER = 'libs/outbox/src/outbox-writer.thread.ts';
const writer = 'libs/outbox/src/outbox-writer.spec.ts';
const NOBODY_LISTENS = 'nobody asks for events while a life goes on';

/** The guards of public events: rule 39. */
export const EVENT_GUARDS: readonly Mutation[] = [
  ...guards(39, 'libs/outbox/src/outbox.ts', writer, {
    'that a batch is shown once it is whole': ['const upTo = await this.end();', "const upTo = '9';", NOBODY_LISTENS],
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
];
