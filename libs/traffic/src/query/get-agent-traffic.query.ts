import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModelStore } from '#documents';
import { Clock, type Instant } from '#kernel';
import { type Projection, ReadModels } from '#read-models';
import { agentFactsProjection, type BucketFacts } from '../agent-facts.projection.js';
import { agentTrafficProjection, type BucketFigures, type BucketPoint } from '../agent-traffic.projection.js';
import { LENGTH } from '../figures/buckets.rule.js';
import { OTHER } from '../figures/names.rule.js';
import { agentsByFamily, type LargeFamilies, largeFamilies, publicFigures } from './public-figures.js';
import {
  filteredPoint,
  pointOf,
  reportOf,
  type TrafficFilter,
  type TrafficPoint,
  type TrafficReport,
} from './traffic-report.js';
import {
  bucketStarts,
  longestSpans,
  previousWindow,
  trafficWindow,
  type TrafficWindow,
  wholeDays,
  type WindowRequest,
} from './traffic-window.js';

/** What agents did in a window of time. */
export interface AgentTraffic extends TrafficReport {
  readonly generatedAt: Instant;
  readonly window: { readonly from: Instant; readonly to: Instant; readonly bucketSeconds: number };
  readonly series: readonly TrafficPoint[];
}

/**
 * What agents did in a window of time; if `isCompared`, also what they did up to the same point of the window before it,
 * unless that is no longer kept.
 */
export class GetAgentTraffic extends Query<{ readonly now: AgentTraffic; readonly before: TrafficReport | null }> {
  constructor(
    readonly window: WindowRequest,
    readonly filter: TrafficFilter = {},
    readonly isCompared = false,
  ) {
    super();
  }
}

/** More documents than the longest window has. */
const ALL = 10_000;

@QueryHandler(GetAgentTraffic)
export class GetAgentTrafficHandler implements IQueryHandler<GetAgentTraffic> {
  constructor(
    private readonly clock: Clock,
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ window: request, filter, isCompared }: GetAgentTraffic) {
    const now = this.clock.now();
    const window = trafficWindow(request, now);
    const previous = isCompared ? previousWindow(window, now) : null;
    const { from, to, bucket } = window;
    const [{ report, large }, before] = await Promise.all([
      this.reportIn(window, filter),
      previous && this.reportIn(previous, filter),
    ]);
    return {
      now: {
        generatedAt: now,
        window: { from, to, bucketSeconds: LENGTH[bucket] / 1_000 },
        ...report,
        series: await this.seriesOf(window, filter, large, now),
      },
      before: before && before.report,
    };
  }

  private async reportIn(window: TrafficWindow, filter: TrafficFilter) {
    const spans = longestSpans(window);
    const [days, parts, facts] = await Promise.all([
      this.find<BucketFigures>(agentTrafficProjection, 'figures', [wholeDays(window)]),
      this.find<BucketFigures>(
        agentTrafficProjection,
        'figures',
        spans.filter(({ bucket }) => bucket !== 'day'),
      ),
      this.find<BucketFacts>(agentFactsProjection, 'facts', spans),
    ]);
    const whole = spans.filter(({ bucket }) => bucket === 'day');
    const within = days.filter(({ start }) => whole.some(({ from, to }) => from <= start && start < to));
    const large = largeFamilies(days);
    return { report: reportOf(publicFigures([...within, ...parts], large), facts, filter), large };
  }

  private async seriesOf(
    window: TrafficWindow,
    filter: TrafficFilter,
    large: LargeFamilies,
    now: Instant,
  ): Promise<readonly TrafficPoint[]> {
    const starts = bucketStarts(window, now);
    const { operation, agent } = filter;
    if (operation === undefined && agent === undefined) {
      const points = byStart(await this.find<BucketPoint>(agentTrafficProjection, 'point', [window]));
      const empty = { requests: 0, errors: 0, latencies: [] };
      return starts.map((start) => pointOf(points.get(start) ?? { start, ...empty }));
    }
    const buckets = byStart(await this.find<BucketFigures>(agentTrafficProjection, 'figures', [window]));
    return starts.flatMap((start) => {
      const bucket = buckets.get(start);
      const [figures = { start, calls: [], agents: [] }] = publicFigures(bucket ? [bucket] : [], large);
      // A point of a named family must not be of fewer agents than an answer may be.
      const isNamed = agent === undefined || agent === OTHER || agentsByFamily([figures]).has(agent);
      return isNamed ? [filteredPoint(start, figures, filter)] : [];
    });
  }

  /** The documents of some spans. */
  private async find<Body extends { readonly start: Instant }>(
    projection: Projection<object>,
    content: 'figures' | 'point' | 'facts',
    spans: readonly TrafficWindow[],
  ): Promise<readonly Body[]> {
    const collection = this.readModels.collectionOf(projection);
    const found = spans.map(({ from, to, bucket }) =>
      this.store.find<Body>(collection, {
        where: [
          { field: 'kind', equals: `${bucket} ${content}` },
          { field: 'start', atLeast: from, below: to },
        ],
        sort: { field: 'start', direction: 'ascending' },
        limit: ALL,
      }),
    );
    return (await Promise.all(found)).flat().map(({ body }) => body);
  }
}

const byStart = <Body extends { readonly start: Instant }>(documents: readonly Body[]): ReadonlyMap<Instant, Body> =>
  new Map(documents.map((document) => [document.start, document]));
