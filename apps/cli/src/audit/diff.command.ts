import type { Command } from 'commander';
import { diffLog, type LogDifference, type StoryLine } from '#audit';
import { progressLine } from '#runtime';
import type { Checkpoint } from '#verifier';
import { type Cli, json, type JsonOption, type Line, report, withStoresToRead } from '../command-line.js';
import { amount, BreachesFound, count, minute, table, TimeTable } from './format.js';
import { checkpointIn, refuseOthers } from './kept-checkpoints.js';
import { STORY_COLUMNS, storyRow } from './story.command.js';

interface Options extends JsonOption {
  readonly events?: true;
}

const lines = ({ from, to, first, last, begun, breaches }: LogDifference): readonly Line[] => [
  ['added', `${count(to - from, 'entry', 'entries')}, ${count(begun, 'stream')} begun`],
  ...(first && last ? [['when', `${minute(first.at)} to ${minute(last.at)} UTC`] as const] : []),
  ...breaches.map(({ message }): Line => ['BREACH', message]),
  ['verdict', breaches.length === 0 ? 'both are checkpoints of this log' : 'NOT SOUND'],
];

/** `alcada audit diff`: what was added to the log between two checkpoints that somebody kept. */
export const addDiffCommand = (audit: Command, { config, write, stderr }: Cli): void => {
  audit
    .command('diff')
    .description('tell what was added to the log between two checkpoints; exit code 1 where one is not of this log')
    .argument('<checkpoint>', 'a file with a checkpoint, as /tlog/checkpoint served it')
    .argument('<checkpoint>', 'another one, earlier or later')
    .option('--events', 'every event that was added')
    .action(async (one: string, other: string, { events: isWhole, json: asJson }: Options) => {
      const settings = await config();
      const kept = [await checkpointIn(one), await checkpointIn(other)] as const;
      const [[, first], [, second]] = kept;
      if (first.origin !== second.origin)
        throw new Error(`these are of different logs: ${first.origin} and ${second.origin}. Name two of one`);
      const added: StoryLine[] = [];
      const onProgress = progressLine('log', stderr);
      const onEvent = isWhole ? (line: StoryLine) => void added.push(line) : () => undefined;
      const pair: readonly [Checkpoint, Checkpoint] = [first, second];
      const found = await withStoresToRead(settings, async (ports) => {
        await refuseOthers(ports, settings, kept);
        return diffLog(ports, pair, { sealing: settings.keyEncryptionKeys, onEvent, onProgress });
      });
      if (asJson) write(json({ origin: first.origin, ...found, ...(isWhole && { events: added }) }));
      else {
        write(report(`${first.origin}: from ${found.from} to ${count(found.to, 'entry', 'entries')}`, lines(found)));
        const rows = found.added.map(({ type, count: times, amounts }) => [
          type,
          times.toLocaleString('en-US').padStart(9),
          amounts.map(amount).join(' + '),
        ]);
        if (rows.length > 0) write(`\n${table(['event', '    times', 'amount'], rows)}`);
        const list = new TimeTable(10, STORY_COLUMNS, write);
        for (const line of added) list.row(line.at, storyRow(line));
      }
      if (found.breaches.length > 0) throw new BreachesFound(count(found.breaches.length, 'breach', 'breaches'));
    });
};
