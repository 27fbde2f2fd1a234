import { Injectable } from '@nestjs/common';
import { type Document, ReadModelStore } from '#documents';
import { ConcurrencyLimit } from '#http';
import { Clock, type Instant, nextTurn, plus } from '#kernel';
import { type Projection, ReadModels } from '#read-models';
import { agentFactsProjection, type BucketFacts } from '../agent-facts.projection.js';
import { agentTrafficProjection, type BucketFigures, type BucketPoint } from '../agent-traffic.projection.js';
import { type Bucket, LENGTH } from '../figures/buckets.rule.js';
import { NO_ENDINGS } from '../figures/endings.rule.js';
import { FiguresSum, isFiltered, LargeFamilies, type TrafficFilter } from './public-figures.js';
import { filteredPoint, pointOf, reportOf, type TrafficPoint, type TrafficReport } from './traffic-report.js';
import {
  bucketStarts,
  longestSpans,
  previousWindow,
  trafficWindow,
  type TrafficWindow,
  wholeDays,
  type WindowRequest,
} from './traffic-window.js';

export interface AgentTraffic extends TrafficReport {
  readonly generatedAt: Instant;
  readonly window: { readonly from: Instant; readonly to: Instant; readonly bucketSeconds: number };
  readonly series: readonly TrafficPoint[];
}

/** What is asked for. `caller`: the address that asks; null: nobody in particular. */
interface TrafficRequest {
  readonly window: WindowRequest;
  readonly filter: TrafficFilter;
  readonly caller: string | null;
  /** Also what agents did up to the same point of the window before it. */
  readonly isCompared?: boolean;
}

interface TrafficRead {
  readonly now: AgentTraffic;
  /** null: nobody asked, or it is no longer kept. */
  readonly before: TrafficReport | null;
  /** The families that a filter may name for this window. */
  readonly families: readonly string[];
}

/** One query at a time: the figures of a long window are tens of megabytes of JSON, which hold the loop up. */
const BOUNDS = { running: 1, waiting: 16, perCaller: 4 };

/** How many documents are read in one turn of the event loop, so that none takes more than some milliseconds. */
const AT_ONCE: Readonly<Record<`${Bucket} ${'figures' | 'point' | 'facts'}`, number>> = {
  'minute figures': 16,
  'hour figures': 4,
  'day figures': 2,
  'minute point': 200,
  'hour point': 200,
  'day point': 200,
  'minute facts': 500,
  'hour facts': 500,
  'day facts': 500,
};

@Injectable()
export class AgentTrafficReader {
  private readonly limit = new ConcurrencyLimit(BOUNDS);

  constructor(
    private readonly clock: Clock,
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  /** @throws DomainError `invalid_window`; `service_unavailable` where too many are waiting already */
  async read({ window: request, filter, caller, isCompared = false }: TrafficRequest): Promise<TrafficRead> {
    const now = this.clock.now();
    const window = trafficWindow(request, now, isFiltered(filter));
    const previous = isCompared ? previousWindow(window, now) : null;
    const { from, to, bucket } = window;
    return this.limit.run(caller, async () => {
      const { report, large, families } = await this.reportIn(window, filter);
      return {
        now: {
          generatedAt: now,
          window: { from, to, bucketSeconds: LENGTH[bucket] / 1_000 },
          ...report,
          series: await this.seriesOf(window, filter, large, now),
        },
        before: previous && (await this.reportIn(previous, filter)).report,
        families,
      };
    });
  }

  /** The first minute of the last day with calls; if it has none, the last day before it that had some; null: there were none. */
  async since(): Promise<Instant | null> {
    const dayAgo = plus(this.clock.now(), -LENGTH.day);
    const minute = await this.firstPoint('minute', 'ascending', dayAgo);
    return minute ?? (await this.firstPoint('day', 'descending'));
  }

  private async firstPoint(
    bucket: Bucket,
    direction: 'ascending' | 'descending',
    atLeast: Instant = '',
  ): Promise<Instant | null> {
    const [found] = await this.store.find<BucketPoint>(this.readModels.collectionOf(agentTrafficProjection), {
      where: [
        { field: 'kind', equals: `${bucket} point` },
        { field: 'start', atLeast },
      ],
      sort: { field: 'start', direction },
      limit: 1,
    });
    return found?.body.start ?? null;
  }

  private async reportIn(window: TrafficWindow, filter: TrafficFilter) {
    const spans = longestSpans(window);
    const isWhole = ({ start }: BucketFigures) =>
      spans.some(({ bucket, from, to }) => bucket === 'day' && from <= start && start < to);
    const large = new LargeFamilies();
    const sum = new FiguresSum(large);
    for await (const day of this.documents<BucketFigures>(agentTrafficProjection, 'figures', [wholeDays(window)])) {
      large.add(day);
      if (isWhole(day)) sum.add(day);
    }
    const edges = spans.filter(({ bucket }) => bucket !== 'day');
    for await (const part of this.documents<BucketFigures>(agentTrafficProjection, 'figures', edges)) sum.add(part);
    const facts: BucketFacts[] = [];
    for await (const fact of this.documents<BucketFacts>(agentFactsProjection, 'facts', spans)) facts.push(fact);
    const figures = sum.published();
    return { report: reportOf(figures, facts, filter), large, families: [...figures.agents.keys()].sort() };
  }

  private async seriesOf(
    window: TrafficWindow,
    filter: TrafficFilter,
    large: LargeFamilies,
    now: Instant,
  ): Promise<readonly TrafficPoint[]> {
    const starts = bucketStarts(window, now);
    const found = new Map<Instant, TrafficPoint | null>();
    if (!isFiltered(filter)) {
      for await (const point of this.documents<BucketPoint>(agentTrafficProjection, 'point', [window]))
        found.set(point.start, pointOf(point));
      const empty = { requests: 0, ...NO_ENDINGS, latencies: [] };
      return starts.map((start) => found.get(start) ?? pointOf({ start, ...empty }));
    }
    for await (const bucket of this.documents<BucketFigures>(agentTrafficProjection, 'figures', [window]))
      found.set(bucket.start, filteredPoint(bucket, filter, large));
    return starts.flatMap((start) => {
      const point = found.get(start);
      const empty = { kind: `${window.bucket} figures`, start, calls: {}, agents: {} } as const;
      return (point === undefined ? filteredPoint(empty, filter, large) : point) ?? [];
    });
  }

  /** The documents of some spans, one after the other, with a turn of the event loop between every few of them. */
  private async *documents<Body extends { readonly start: Instant }>(
    projection: Projection<object>,
    content: 'figures' | 'point' | 'facts',
    spans: readonly TrafficWindow[],
  ): AsyncGenerator<Body> {
    for (const { from, to, bucket } of spans) {
      const kind = `${bucket} ${content}` as const;
      let next: Instant | null = from;
      while (next !== null) {
        const found: readonly Document<Body>[] = await this.store.find<Body>(this.readModels.collectionOf(projection), {
          where: [
            { field: 'kind', equals: kind },
            { field: 'start', atLeast: next, below: to },
          ],
          sort: { field: 'start', direction: 'ascending' },
          limit: AT_ONCE[kind],
        });
        for (const { body } of found) yield body;
        const last = found.at(-1);
        next = last && found.length === AT_ONCE[kind] ? plus(last.body.start, LENGTH[bucket]) : null;
        await nextTurn();
      }
    }
  }
}
