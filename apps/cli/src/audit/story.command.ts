import type { Command } from 'commander';
import {
  bookingStory,
  type OrderStanding,
  orderStory,
  partyStory,
  type RefundStanding,
  type StoryLine,
  type Whose,
} from '#audit';
import type { Config } from '#config';
import { isId } from '#kernel';
import { Clients, shownName } from '#oauth';
import { type Ports, progressLine } from '#runtime';
import type { Amount, Breach } from '#verifier';
import { type Cli, json, type JsonOption, type Line, report, withStoresToRead } from '../command-line.js';
import { amount, BreachesFound, type Column, count, TimeTable } from './format.js';
import { idOf, travellerOf } from './ids.js';

/** With the time, and two characters between each: 100 in all, if what stands last has no more than 22. */
export const STORY_COLUMNS: readonly Column[] = [
  ['where', 18],
  ['event', 17],
  ['by', 12],
  ['amount', 11, 'right'],
  ['', 0],
];

/** `order 16b3f3e6`, `flight AL1201`, `delegation`. */
const whereOf = (stream: string): string => {
  const dash = stream.indexOf('-');
  const [category, id] = [stream.slice(0, dash), stream.slice(dash + 1)];
  if (category === 'delegation' || category === 'security') return category;
  return `${category} ${isId(id) ? id.slice(0, 8) : id}`;
};

export const storyRow = ({ stream, what, by, amount: of, detail }: StoryLine): readonly string[] => [
  whereOf(stream),
  what,
  by,
  amount(of),
  detail,
];

/** How the orders of a story came out, and what does not agree with the ledger. */
class Verdict {
  private readonly paid = new Map<string, number>();
  private readonly back = new Map<string, number>();
  private readonly orders = { paid: 0, failed: 0, open: 0 };
  private readonly refunds = { refunded: 0, refund_failed: 0, open: 0 };
  readonly breaches: Breach[] = [];

  add(order: OrderStanding): void {
    this.orders[order.status] += 1;
    this.breaches.push(...order.breaches);
    const { total } = order;
    if (order.status === 'paid' && total) added(this.paid, total);
  }

  addRefund({ status, amount: refund, breaches }: RefundStanding): void {
    this.refunds[status] += 1;
    this.breaches.push(...breaches);
    if (status === 'refunded' && refund && refund.amount > 0) added(this.back, refund);
  }

  get totals(): readonly Amount[] {
    return amountsOf(this.paid);
  }

  /** How the ways back came out, and what came back. */
  get cancelled() {
    return { ...this.refunds, totals: amountsOf(this.back) };
  }

  get counts() {
    return this.orders;
  }

  get lines(): readonly Line[] {
    const { paid, failed, open } = this.orders;
    const { refunded, refund_failed: refused, open: underWay } = this.refunds;
    const back = amountsOf(this.back).map(amount).join(' + ');
    const cancelled = [
      ...(refunded > 0 ? [`${refunded} cancelled, ${back === '' ? 'nothing' : back} back`] : []),
      ...(refused > 0 ? [`${refused} refused by the card`] : []),
      ...(underWay > 0 ? [`${underWay} under way`] : []),
    ];
    const totals = this.totals.map(amount).join(' + ');
    const orders = [
      `${paid} paid${totals && `, ${totals}`}`,
      `${failed} failed`,
      ...(open > 0 ? [`${open} under way`] : []),
    ];
    const found = this.breaches.map(({ rule, stream, revision, message }): Line => [
      'BREACH',
      `${rule}: ${stream}${revision === null ? '' : `@${revision}`}: ${message}`,
    ]);
    const isSound = found.length === 0;
    const verdict = isSound
      ? 'sound: streams and payment ledger agree'
      : `NOT SOUND: ${count(found.length, 'breach', 'breaches')}`;
    const refunds: readonly Line[] = cancelled.length > 0 ? [['refunds', cancelled.join('; ')]] : [];
    return [['orders', orders.join('; ')], ...refunds, ...found, ['verdict', verdict]];
  }

  /** @throws BreachesFound */
  check(): void {
    if (this.breaches.length > 0) throw new BreachesFound(count(this.breaches.length, 'breach', 'breaches'));
  }
}

const added = (sums: Map<string, number>, { amount: cents, currency }: Amount): void =>
  void sums.set(currency, (sums.get(currency) ?? 0) + cents);

const amountsOf = (sums: ReadonlyMap<string, number>): readonly Amount[] =>
  [...sums].map(([currency, cents]) => ({ amount: cents, currency }));

const printStory = async (kind: 'order' | 'booking', given: string, isJson: boolean, config: Config, cli: Cli) =>
  withStoresToRead(config, async (ports) => {
    const id = await idOf(kind, given, ports.events, cli.stderr);
    const story = await (kind === 'order' ? orderStory : bookingStory)(id, ports);
    if (!story) throw new Error(`there is no ${kind} ${id}`);
    const { party, lines, orders, refunds } = story;
    const verdict = new Verdict();
    for (const order of orders) verdict.add(order);
    for (const refund of refunds) verdict.addRefund(refund);
    if (isJson) cli.write(json({ id, ...party, lines, orders, refunds, breaches: verdict.breaches }));
    else {
      const who: readonly Line[] = party
        ? [
            ['traveller', `${await travellerOf(ports, config, party.holder)} (${party.holder})`],
            ['agent', party.clientId],
          ]
        : [];
      const heading = `${kind === 'order' ? 'Order' : 'Booking'} ${id}`;
      cli.write(report(heading, [...who, ...idsIn(id, lines), ['times', 'UTC']]));
      print(lines, cli);
      cli.write(`\n${report('Now', verdict.lines)}`);
    }
    verdict.check();
  });

/** The ids in full of what the table names by their beginnings. */
const idsIn = (id: string, lines: readonly StoryLine[]): readonly Line[] =>
  [...new Set(lines.map(({ stream }) => stream))]
    .map((stream): Line => [stream.slice(0, stream.indexOf('-')), stream.slice(stream.indexOf('-') + 1)])
    .filter(([category, of]) => ['booking', 'mandate', 'order'].includes(category) && of !== id);

const print = (lines: Iterable<StoryLine>, { write }: Cli): void => {
  const table = new TimeTable(10, STORY_COLUMNS, write);
  for (const line of lines) table.row(line.at, storyRow(line));
};

/** The name of a traveller or an agent, as far as anybody still has one. */
const nameOf = async (whose: Whose, ports: Ports, config: Config): Promise<string> => {
  if ('holder' in whose) return travellerOf(ports, config, whose.holder);
  const clients = new Clients(ports.documents);
  await clients.prepare();
  const client = await clients.find(whose.clientId);
  if (!client) return 'no longer registered';
  return client.registration === undefined ? client.name : `${shownName(client)}, unverified`;
};

const printPartyStory = async (whose: Whose, isJson: boolean, config: Config, { write, stderr }: Cli) =>
  withStoresToRead(config, async (ports) => {
    const [id, heading, label] =
      'holder' in whose
        ? [whose.holder, `Traveller ${whose.holder}`, 'e-mail']
        : [whose.clientId, `Agent ${whose.clientId}`, 'name'];
    const name = await nameOf(whose, ports, config);
    const verdict = new Verdict();
    const table = new TimeTable(10, STORY_COLUMNS, write);
    let lines = 0;
    // A terminal has one place for a table that grows and a bar that is redrawn: the table has it.
    const onProgress = isJson || !stderr.isTTY ? progressLine('Reading the log', stderr) : () => undefined;
    for await (const part of partyStory(whose, ports, onProgress)) {
      if ('order' in part) verdict.add(part.order);
      else if ('refund' in part) verdict.addRefund(part.refund);
      else if ('breaches' in part) verdict.breaches.push(...part.breaches);
      else {
        if (lines === 0 && !isJson)
          write(
            report(heading, [
              [label, name],
              ['times', 'UTC'],
            ]),
          );
        lines += 1;
        if (isJson) write(json(part.line));
        else table.row(part.line.at, storyRow(part.line));
      }
    }
    if (lines === 0) throw new Error(`the log has nothing about ${id}`);
    const { counts: orders, totals, cancelled: refunds, breaches } = verdict;
    write(isJson ? json({ id, name, lines, orders, totals, refunds, breaches }) : `\n${report('Now', verdict.lines)}`);
    verdict.check();
  });

/** `alcada audit order | booking | holder | agent`: what happened, across streams, tied to the payment ledger. */
export const addStoryCommands = (audit: Command, cli: Cli): void => {
  for (const kind of ['order', 'booking'] as const)
    audit
      .command(kind)
      .description(
        `tell the story of ${kind === 'order' ? 'an order' : 'a booking'} across its streams, tied to the payment ledger`,
      )
      .argument('<id>', `its id, or the first eight characters${kind === 'order' ? '; or one of its tickets' : ''}`)
      .action(async (id: string, options: JsonOption) =>
        printStory(kind, id, options.json ?? false, await cli.config(), cli),
      );
  audit
    .command('holder')
    .description('tell everything that concerns a traveller, tied to the payment ledger; reads the whole log')
    .argument('<id>', 'the id of the traveller, as `alcada traveller list` shows it')
    .option('--json', 'print one JSON document for each line, and then the verdict')
    .action(async (holder: string, options: JsonOption) =>
      printPartyStory({ holder }, options.json ?? false, await cli.config(), cli),
    );
  audit
    .command('agent')
    .description('tell everything that an agent did or was allowed, tied to the payment ledger; reads the whole log')
    .argument('<id>', 'the client id')
    .option('--json', 'print one JSON document for each line, and then the verdict')
    .action(async (clientId: string, options: JsonOption) =>
      printPartyStory({ clientId }, options.json ?? false, await cli.config(), cli),
    );
};
