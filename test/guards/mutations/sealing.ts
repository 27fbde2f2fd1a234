import type { Mutation } from '../mutation.js';

const SEALER = 'libs/transparency/src/sealer.ts';
const LOG = 'libs/transparency/src/transparency-log.ts';
const sealing = 'test/scenarios/sealing.spec.ts';

const NOBODY_CHANGES_THE_LOG = 'nobody changes the log of a life, nor loses its tiles';
const NOBODY_ASKS = 'nobody asks for tiles and places while a life goes on';

/** The guards of the transparency log: rules 32 and 33. */
export const SEALING_GUARDS: readonly Mutation[] = [
  {
    rule: 32,
    name: 'the compare-and-set of the head',
    file: 'libs/transparency/src/head.ts',
    from: 'return this.documents.replace(TLOG_HEAD.name, ID, read.version, body);',
    to: 'return (await this.stored.update(ID, () => body)) !== null;',
    spec: sealing,
    beyond:
      'it takes a sealer that stands still before it writes its head, while another one writes a larger one: not once in a thousand lives',
  },
  {
    rule: 32,
    name: 'that the tree begins with the head’s',
    file: SEALER,
    from: 'if (head && !isSameHash(await this.rootAt(head.size), head.root)) return null;',
    to: '',
    spec: sealing,
    beyond: NOBODY_CHANGES_THE_LOG,
  },
  {
    rule: 32,
    name: 'building tiles anew',
    file: SEALER,
    from: `      await growing.startOver();
      tiles.forget();`,
    to: '',
    spec: sealing,
    beyond: NOBODY_CHANGES_THE_LOG,
  },
  {
    rule: 32,
    name: 'the end of the log at the start',
    file: SEALER,
    from: "if (head.position > end) throw new LogNotAsSealed('is ahead of the log');",
    to: '',
    spec: sealing,
    beyond: NOBODY_CHANGES_THE_LOG,
  },
  {
    rule: 32,
    name: 'the newest entries at the start',
    file: SEALER,
    from: 'if (root && isSameHash(root, head.root) && (await isNewestInLog(parts, head))) return;',
    to: 'if (root && isSameHash(root, head.root)) return;',
    spec: sealing,
    beyond: NOBODY_CHANGES_THE_LOG,
  },
  {
    rule: 32,
    name: 'dropping tiles where there is no head',
    file: SEALER,
    from: 'if (await parts.tiles.grown()) await parts.tiles.drop();',
    to: '',
    spec: sealing,
    beyond: NOBODY_CHANGES_THE_LOG,
  },
  {
    rule: 33,
    name: 'the head’s size, for tiles',
    file: LOG,
    from: 'if (!(await this.isSealed(tile))) return null;',
    to: '',
    spec: sealing,
    beyond: NOBODY_ASKS,
  },
  {
    rule: 33,
    name: 'the head’s size, for places',
    file: LOG,
    from: 'place >= 0 && head && index < head.size ? index : null',
    to: 'place >= 0 && head ? index : null',
    spec: sealing,
    beyond: NOBODY_ASKS,
  },
];
