import { type Cost, CostWatch } from './cost.js';
import { bigAt, composedAt } from './compose.js';
import { type Finding, shrunk } from './finding.js';
import { judged, type Verdict, wronglyKept, wronglyWritten } from './judge.js';
import { Random } from './random.js';
import type { Composed } from './requests.js';
import { downCall, flooded, orderCall, rollCall } from './roll-call.js';
import type { Operation, Surface, Tool } from './surface.js';
import type { Target } from './target.js';
import { Line } from './wire.js';
import { addSpare, type Kind, KINDS, learn, learnTokens, type World } from './world.js';

export interface Report {
  readonly seed: number;
  readonly requests: number;
  readonly findings: readonly Finding[];
  /** How often each operation answered each status and code: `POST /orders 409 mandate_paused`. */
  readonly reached: ReadonlyMap<string, number>;
  /** All that is described, in the same words. */
  readonly described: readonly string[];
  /** The dearest requests, in ms of the CPU. */
  readonly worst: readonly Cost[];
}

/** Connections that ask at once, and how many requests each sends before what was written is looked at. */
const [LANES, BATCH] = [8, 32];
/** Requests as long as may be, after each batch. */
const LONG = 6;
/** One batch in so many meets a log that refuses to be written. */
const DOWN = 12;
/** Batches between one look for spare grants and the next: each counts under the limits of our own address. */
const RENEWED = 16;
/** So few requests leave out what takes many by itself: using up limits. */
const FEW = 1_000;
/** Kept of each kind of fault. */
const MOST_FINDINGS = 20;

/** Requests of an address that use up its limits: enough for those who make the world. */
export const FLOOD = 400;

export class Run {
  private readonly lines: readonly Line[];
  private readonly aside: Line;
  private readonly findings = new Map<string, Finding>();
  private readonly reached = new Map<string, number>();
  private readonly costs: CostWatch;
  private sent = 0;
  private isDown = false;

  constructor(
    private readonly seed: number,
    private readonly target: Target,
    private readonly surface: Surface,
    private readonly world: World,
  ) {
    this.lines = Array.from({ length: LANES }, () => new Line(target.port));
    this.aside = new Line(target.port);
    this.costs = new CostWatch(target, ({ sent }) => this.aside.send(sent).catch(() => null));
  }

  async all(requests: number): Promise<void> {
    await this.target.news();
    await this.callRoll(requests > FEW);
    for (let batch = 1; this.sent < requests && this.target.isAlive; batch += 1) {
      const from = this.sent;
      await this.batch(batch % DOWN === 0, (at) => composedAt(this.seed, from + at, this.world, this.surface));
      await this.longOnes(from);
      // Whoever sends an odd address counts as us: then our own limit may be used up, and the next look finds more.
      if (batch % RENEWED === 0) await addSpare(this.world, this.target.origin).catch(() => undefined);
    }
    if (!this.target.isAlive) throw new Error(`the service ended after ${this.sent} requests of seed ${this.seed}`);
  }

  async report(): Promise<Report> {
    await this.shrink();
    for (const line of [...this.lines, this.aside]) line.close();
    const wanted = this.surface.described.flatMap(({ name, answers }) =>
      [...answers].flatMap(([status, { codes }]) =>
        [...(codes ?? [''])].map((code) => `${name} ${status} ${code}`.trim()),
      ),
    );
    const tools = this.surface.doors.flatMap(({ name }) =>
      this.surface.tools.map((tool) => `${name} ${tool.name} done`),
    );
    return {
      seed: this.seed,
      requests: this.sent,
      findings: [...this.findings.values()],
      reached: this.reached,
      described: [...wanted, ...tools],
      worst: this.costs.worst,
    };
  }

  /** What no chance decides: the edge of every operation, what orders refuse, and a key that many use at once. */
  private async callRoll(isWhole: boolean): Promise<void> {
    const random = new Random(this.seed);
    const [actor] = this.world.actors;
    if (!actor) throw new Error('nobody asks');
    const asking = { random, world: this.world, actor };
    const roll = rollCall(asking, this.surface.described);
    await this.batch(false, (at) => roll[at] ?? null, roll.length);
    const late = isWhole ? flooded(asking, this.surface.described, FLOOD) : [];
    await this.batch(false, (at) => late[at] ?? null, late.length);
    const down = downCall(asking, this.surface);
    await this.batch(true, (at) => down[at] ?? null, down.length);
    // One after the other: each finds what those before it left.
    for (const one of orderCall(asking, this.surface)) await this.batch(false, () => one, 1);
    for (const operation of this.surface.described.filter(
      ({ method, parameters }) => method === 'POST' && parameters.some(({ name }) => name === 'Idempotency-Key'),
    )) {
      const one = roll.find((composed) => composed.operation === operation);
      if (!one) continue;
      const headers = [...one.sent.headers, ['idempotency-key', 'at-once'] as const];
      await this.batch(false, () => ({ ...one, sent: { ...one.sent, headers } }), LANES);
    }
  }

  /** A few requests as long as they may be, each measured by itself. */
  private async longOnes(from: number): Promise<void> {
    for (let at = from; at < from + LONG; at += 1) {
      const big = bigAt(this.seed, at, this.world, this.surface);
      const dear = await this.costs.watchGrowth(big);
      this.sent += 1;
      if (dear !== null) this.found(dear, at, big.of(big.most));
    }
  }

  /** Sends a batch over all lanes at once, and then looks at what it left in the log. */
  private async batch(isDown: boolean, request: (at: number) => Composed | null, most = LANES * BATCH): Promise<void> {
    await this.setDown(isDown);
    const answered = new Map<
      string,
      Verdict & { readonly isRead: boolean; readonly at: number; readonly composed: Composed }
    >();
    const alone: { readonly at: number; readonly composed: Composed }[] = [];
    let next = 0;
    const lane = async (line: Line): Promise<void> => {
      while (next < most) {
        const at = next;
        next += 1;
        const composed = request(at);
        if (!composed) continue;
        const number = this.sent;
        this.sent += 1;
        if (at % 100 === 7) alone.push({ at: number, composed });
        const { verdict, id } = await this.ask(line, composed, number);
        const isRead = ['GET', 'HEAD'].includes(composed.sent.method);
        if (id !== null) answered.set(id, { ...verdict, isRead, at: number, composed });
      }
    };
    await Promise.all(this.lines.map(lane));
    await this.setDown(false);
    const { events } = await this.target.news();
    for (const { cause, fault } of wronglyWritten(events, answered)) {
      const by = answered.get(cause);
      if (by) this.found(fault, by.at, by.composed);
    }
    for (const { at, composed } of alone) {
      const dear = await this.costs.watch(composed);
      if (dear !== null) this.found(dear, at, composed);
      const kept = await this.keptOf(composed);
      if (kept !== null) this.found(kept, at, composed);
    }
    await this.target.news();
  }

  /** What documents a request leaves behind that is refused; null: none. Thrice the same is none of the background's. */
  private async keptOf(composed: Composed): Promise<string | null> {
    let kept: string | null = null;
    for (let times = 0; times < 3; times += 1) {
      const before = await this.target.news();
      const received = await this.aside.send(composed.sent).catch(() => null);
      const { isRefused, outcome } = judged(composed, received, this.world, false);
      const after = await this.target.news();
      // A card that is refused leaves its order, and is counted. Where nothing was answered, it may still be at work.
      if (!received || !isRefused || outcome.includes('payment_')) return null;
      kept = wronglyKept(before.documents, after.documents);
      if (kept === null) return null;
    }
    return kept;
  }

  private async setDown(isDown: boolean): Promise<void> {
    if (isDown !== this.isDown) await this.target.refuseWrites(isDown);
    this.isDown = isDown;
  }

  private async ask(
    line: Line,
    composed: Composed,
    at: number,
  ): Promise<{ readonly verdict: Verdict; readonly id: string | null }> {
    const received = await line.send(composed.sent).catch((error: unknown) => {
      this.found(String(error), at, composed);
      line.close();
      return null;
    });
    const verdict = judged(composed, received, this.world, this.isDown);
    const { operation, tool, actor, sent } = composed;
    this.count(`${operation.name} ${verdict.outcome}`);
    if (tool && !verdict.isRefused) this.count(`${operation.name} ${tool.name} done`);
    if (received && actor && received.status < 300 && (tool?.scopes ?? operation.scopes).length > 0)
      learn(this.world, actor, tool ? kindOfTool(tool) : kindMade(operation), received.text);
    if (received) this.learnCursor(received.text);
    if (received && sent.target.startsWith('/oauth/') && sent.body)
      learnTokens(this.world, sent.body.toString(), received.status, received.text);
    for (const fault of verdict.findings) this.found(fault, at, composed);
    return { verdict, id: received?.headers.get('x-request-id') ?? null };
  }

  private count(what: string): void {
    this.reached.set(what, (this.reached.get(what) ?? 0) + 1);
  }

  private learnCursor(text: string): void {
    const [, cursor] = /"nextCursor":"([^"]+)"/.exec(text) ?? [];
    if (cursor === undefined) return;
    this.world.cursors.push(cursor);
    if (this.world.cursors.length > 50) this.world.cursors.shift();
  }

  private found(fault: string, at: number, composed: Composed): void {
    const key = `${composed.operation.name}: ${fault.replaceAll(/[0-9a-f-]{36}/g, '…')}`;
    if (this.findings.has(key) || this.findings.size >= MOST_FINDINGS) return;
    this.findings.set(key, { seed: this.seed, at, fault, composed });
  }

  /** The findings, each with the smallest request that shows it. */
  private async shrink(): Promise<void> {
    for (const [key, finding] of this.findings) {
      const shows = async (composed: Composed): Promise<boolean> => {
        const received = await this.aside.send(composed.sent).catch(() => null);
        return judged(composed, received, this.world, false).findings.includes(finding.fault);
      };
      if (await shows(finding.composed))
        this.findings.set(key, { ...finding, composed: await shrunk(finding.composed, shows) });
    }
  }
}

const kindMade = ({ method, path }: Operation): Kind | null =>
  method === 'POST' ? (KINDS.find((kind) => path.endsWith(`/${kind}`)) ?? null) : null;

const MADE_BY: Readonly<Record<string, Kind>> = {
  create_booking: 'bookings',
  create_mandate: 'mandates',
  place_order: 'orders',
};
const kindOfTool = ({ name }: Tool): Kind | null => MADE_BY[name] ?? null;
