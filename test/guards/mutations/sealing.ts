import { guards, type Mutation } from '../mutation.js';

const SEALER = 'libs/transparency/src/sealer.ts';
const LOG = 'libs/transparency/src/transparency-log.ts';
const sealing = 'test/scenarios/sealing.spec.ts';

const NOBODY_CHANGES_THE_LOG = 'nobody changes the log of a life, nor loses its tiles';
const NOBODY_ASKS = 'nobody asks for tiles and places while a life goes on';

/** The guards of the transparency log: rules 32 and 33. */
export const SEALING_GUARDS: readonly Mutation[] = [
  ...guards(32, 'libs/transparency/src/head.ts', sealing, {
    'the compare-and-set of the head': [
      'return this.documents.replace(TLOG_HEAD.name, ID, read.version, body);',
      'return (await this.stored.update(ID, () => body)) !== null;',
      'it takes a sealer that stands still before it writes its head, while another one writes a larger one: not once in a thousand lives',
    ],
  }),
  ...guards(32, SEALER, sealing, {
    'that the tree begins with the head’s': [
      'if (head && !isSameHash(await this.rootAt(head.size), head.root)) return null;',
      '',
      NOBODY_CHANGES_THE_LOG,
    ],
    'building tiles anew': [
      `      await growing.startOver();
      tiles.forget();`,
      '',
      NOBODY_CHANGES_THE_LOG,
    ],
    'the end of the log at the start': [
      "if (head.position > end) throw new LogNotAsSealed('is ahead of the log');",
      '',
      NOBODY_CHANGES_THE_LOG,
    ],
    'the newest entries at the start': [
      'if (root && isSameHash(root, head.root) && (await isNewestInLog(parts, head))) return;',
      'if (root && isSameHash(root, head.root)) return;',
      NOBODY_CHANGES_THE_LOG,
    ],
    'dropping tiles where there is no head': [
      'if (await parts.tiles.grown()) await parts.tiles.drop();',
      '',
      NOBODY_CHANGES_THE_LOG,
    ],
  }),
  ...guards(33, LOG, sealing, {
    'the head’s size, for tiles': ['if (!(await this.isSealed(tile))) return null;', '', NOBODY_ASKS],
    'the head’s size, for places': [
      'place >= 0 && head && index < head.size ? index : null',
      'place >= 0 && head ? index : null',
      NOBODY_ASKS,
    ],
  }),
];
