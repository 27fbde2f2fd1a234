import { type Command, InvalidArgumentError } from 'commander';
import { followMandate, mandateSteps, MandateStory, refusalLine, type UpTo } from '#audit';
import type { Config } from '#config';
import type { Ports } from '#runtime';
import type { Breach, MandateStep } from '#verifier';
import { type Cli, json, type JsonOption, report, untilSignal, withStoresToRead } from '../command-line.js';
import { BreachesFound, cents, type Column, count, minute, TimeTable } from './format.js';
import { idOf, travellerOf } from './ids.js';

interface Options extends JsonOption {
  readonly at?: NonNullable<UpTo>;
  readonly follow?: true;
}

const upTo = (value: string): NonNullable<UpTo> => {
  if (/^\d{1,9}$/.test(value)) return { revision: Number(value) };
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw new InvalidArgumentError('give a revision, or a time such as 2026-01-15T12:00:00Z.');
  return { time: new Date(time).toISOString() };
};

/** With the time and the revision, and two characters between each: 97 in all. */
const COLUMNS: readonly Column[] = [
  ['event', 9],
  ['agent', 14],
  ['order', 8],
  ['amount', 9, 'right'],
  ['reserved', 9, 'right'],
  ['consumed', 9, 'right'],
  ['remaining', 9, 'right'],
];

/** `MandateChargeRefused` is `refused`. */
const eventName = (type: string): string => type.replace(/^Mandate(Charge)?/, '').toLowerCase();

const row = ({ event, orderId, amount, reserved, consumed, remaining }: MandateStep): readonly string[] => [
  eventName(event.type),
  event.metadata.actor.clientId ?? (event.metadata.actor.holder === null ? 'service' : 'traveller'),
  orderId?.slice(0, 8) ?? '',
  amount ? cents(amount.amount) : '',
  cents(reserved),
  cents(consumed),
  cents(remaining),
];

const below = ({ event, refusal, breaches, limit }: MandateStep): readonly string[] => {
  const { type, data } = event;
  const until = typeof data['expiresAt'] === 'string' ? ` until ${minute(data['expiresAt'])}` : '';
  const hasTerms = ['MandateRequested', 'MandateApproved', 'MandateCreated', 'MandateNarrowed'].includes(type);
  return [
    ...(hasTerms ? [`ceiling ${cents(limit.amount)}${until}`] : []),
    ...(refusal === null ? [] : [`why: ${refusalLine(data)}`]),
    ...breaches.map(({ rule, message }) => `BREACH ${rule}: ${message}`),
  ];
};

const stepView = ({ event, ...step }: MandateStep) => {
  const { revision, type, metadata } = event;
  return { revision, type, hash: metadata.hash, ...step };
};

type Standing = ReturnType<MandateStory['standing']>;

const verdictLines = (story: MandateStory, standing: Standing, events: number, breaches: readonly Breach[]) => {
  const { status, limit, charged, refunded, consumed, reserved, remaining } = standing;
  const back = `${cents(charged)} charged, ${cents(refunded)} refunded`;
  const money = `${cents(consumed)} consumed, ${cents(reserved)} reserved, ${cents(remaining)} left of ${cents(limit.amount)}`;
  return [
    ['stands', `${status}: ${money} ${limit.currency}; ends ${minute(story.terms.expiresAt)}`],
    ...(refunded > 0 ? ([['refunds', `${back}: ${cents(consumed)} consumed`]] as const) : []),
    [
      'verdict',
      breaches.length === 0
        ? `sound: every rule holds, and the chain of ${count(events, 'event')} is unbroken`
        : `NOT SOUND: ${count(breaches.length, 'breach', 'breaches')} in ${count(events, 'event')}`,
    ],
  ] as const;
};

const print = async (given: string, { at, follow, json: asJson }: Options, config: Config, ports: Ports, cli: Cli) => {
  const { write, stderr } = cli;
  const mandateId = await idOf('mandate', given, ports.events, stderr);
  const story = new MandateStory(mandateId);
  const table = new TimeTable(14, COLUMNS, write);
  const steps: MandateStep[] = [];
  const breaches: Breach[] = [];
  let events = 0;
  const take = async (step: MandateStep): Promise<void> => {
    const isFirst = events === 0;
    events += 1;
    breaches.push(...step.breaches);
    if (asJson && follow) write(json(stepView(step)));
    else if (asJson) steps.push(step);
    else {
      const { holder, clientId } = story.terms;
      const traveller = isFirst && holder !== '' ? await travellerOf(ports, config, holder) : '';
      if (isFirst)
        write(
          report(`Mandate ${mandateId}`, [
            ['traveller', `${traveller} (${holder})`],
            ['agent', clientId],
            ['amounts', step.limit.currency],
            ['times', 'UTC'],
          ]),
        );
      table.row(step.at, row(step), { below: below(step), mark: `@${step.event.revision}` });
    }
  };
  if (follow)
    await untilSignal(async (signal) => {
      for await (const step of followMandate(story, ports, signal)) await take(step);
    });
  else for await (const step of mandateSteps(story, ports.events, at ?? null)) await take(step);
  const last = at && 'revision' in at ? at.revision : null;
  if (events === 0) throw new Error(at ? `it did not exist then` : `there is no mandate ${given}`);
  if (last !== null && events <= last) throw new Error(`its last event is revision ${events - 1}`);
  const standing = story.standing(at && 'time' in at ? at.time : ports.clock.now());
  const document = { mandateId, ...story.terms, standing, breaches };
  if (asJson) write(json(follow ? document : { ...document, steps: steps.map(stepView) }));
  else write(`\n${report(at ? 'Then' : 'Now', verdictLines(story, standing, events, breaches))}`);
  if (breaches.length > 0) throw new BreachesFound(count(breaches.length, 'breach', 'breaches'));
};

/** `alcada audit mandate`: the life of a mandate, recomputed from its events. */
export const addMandateCommand = (audit: Command, cli: Cli): void => {
  audit
    .command('mandate')
    .description(
      'tell the life of a mandate event by event, recomputed, and judge it; exit code 1 where a rule is broken',
    )
    .argument('<id>', 'its id, or the first eight characters')
    .option('--at <time|revision>', 'as it stood then', upTo)
    .option('--follow', 'go on as it happens, until it is over or Ctrl-C')
    .option('--json', 'print one JSON document; with --follow one for each event')
    .action(async (id: string, options: Options, command: Command) => {
      if (options.at && options.follow) command.error('error: give --at or --follow, not both');
      const settings = await cli.config();
      await withStoresToRead(settings, (ports) => print(id, options, settings, ports, cli));
    });
};
