import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReadModelStore } from '#documents';
import { Clock, type Instant } from '#kernel';
import { type Projection, ReadModels } from '#read-models';
import { agentFactsProjection, type BucketFacts } from '../agent-facts.projection.js';
import { agentTrafficProjection, type BucketFigures, type BucketPoint } from '../agent-traffic.projection.js';
import { LENGTH } from '../figures/buckets.rule.js';
import { serializeLatencies } from '../figures/latency.rule.js';
import { OTHER } from '../figures/names.rule.js';
import type { TrafficPointView } from './traffic-figures.view.js';
import { GetAgentTraffic } from './get-agent-traffic.query.js';
import { agentsByFamily, type LargeFamilies, largeFamilies, publicFigures } from './public-figures.js';
import { pointOf, reportOf } from './traffic-report.js';
import { sumOf, type TrafficFilter } from './traffic-sum.js';
import { daysOf, spansOf, startsIn, type TrafficWindow, trafficWindow, windowBefore } from './traffic-window.js';

const NO_CALLS = { requests: 0, errors: 0, latencies: [] };
/** More documents than the longest window has. */
const ALL = 10_000;

@QueryHandler(GetAgentTraffic)
export class GetAgentTrafficHandler implements IQueryHandler<GetAgentTraffic> {
  constructor(
    private readonly clock: Clock,
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ window: asked, filter, isCompared }: GetAgentTraffic) {
    const now = this.clock.now();
    const window = trafficWindow(asked, now);
    const earlier = isCompared ? windowBefore(window, now) : null;
    const { from, to, bucket } = window;
    const [{ report, large }, before] = await Promise.all([
      this.reportIn(window, filter),
      earlier && this.reportIn(earlier, filter),
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
    const spans = spansOf(window);
    const [days, parts, facts] = await Promise.all([
      this.all<BucketFigures>(agentTrafficProjection, 'figures', [daysOf(window)]),
      this.all<BucketFigures>(
        agentTrafficProjection,
        'figures',
        spans.filter(({ bucket }) => bucket !== 'day'),
      ),
      this.all<BucketFacts>(agentFactsProjection, 'facts', spans),
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
  ): Promise<readonly TrafficPointView[]> {
    const isFiltered = filter.operation !== undefined || filter.agent !== undefined;
    const starts = startsIn(window, now);
    if (!isFiltered) {
      const points = new Map<Instant, BucketPoint>();
      for (const point of await this.all<BucketPoint>(agentTrafficProjection, 'point', [window]))
        points.set(point.start, point);
      return starts.map((start) => pointOf(start, points.get(start) ?? NO_CALLS));
    }
    const found = new Map<Instant, BucketFigures>();
    for (const one of await this.all<BucketFigures>(agentTrafficProjection, 'figures', [window]))
      found.set(one.start, one);
    return starts.flatMap((start) => {
      const one = found.get(start);
      const told = publicFigures(one ? [one] : [], large);
      // Of a family by its name, no bucket tells of fewer agents than an answer may.
      if (filter.agent !== undefined && filter.agent !== OTHER && !agentsByFamily(told).has(filter.agent)) return [];
      const { calls: requests, errors, latencies } = sumOf(told, filter);
      return [pointOf(start, { requests, errors, latencies: serializeLatencies(latencies) })];
    });
  }

  /** The documents of some spans. */
  private async all<Body extends { readonly start: Instant }>(
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
