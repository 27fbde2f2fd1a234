import type { Report } from './run.js';

/** What is described and that no request reaches, with the reason and the test that holds it instead. */
const REASONS: readonly (readonly [what: RegExp, reason: string])[] = [
  [/ 429 rate_limited$/, 'a limit fills again while it is used up; test/hostile/limits.spec.ts'],
  [/ 500 internal_error$/, 'none is known; it would be a finding'],
  [/ 408 request_timeout$/, 'takes 30 seconds each; test/hostile/connections.spec.ts'],
  [
    /^POST \/orders 402 payment_not_completed$/,
    'takes an approval that nobody completes; test/e2e/challenge-time.spec.ts',
  ],
  [/^POST \/orders 422 invalid_fare$/, 'no fare goes off sale meanwhile; test/scenarios/placing.spec.ts'],
  [/^POST \/orders 409 offer_expired$/, 'no fare rises meanwhile; test/e2e/doors.spec.ts'],
  [
    /^(POST|GET) \/orders\/\{id\}\/(cancellations|credit-note)/,
    'no flight of its catalogue has a day to be cancelled before; test/e2e/cancellations.spec.ts',
  ],
  [/^GET \/orders\/\{id\}\/ticket\.ics 200$/, 'as they have none; libs/portal/src/tickets/ticket-calendar.spec.ts'],
  [/^POST (\/webmcp\/call|\/mcp) (quote_cancellation|cancel_order) done$/, 'as there; test/e2e/doors.spec.ts'],
  [/^\w+ \/webhooks.* (20\d|404|422)/, 'no agent of its world has their scope; test/e2e/webhooks.spec.ts'],
  [/^GET .* 503 service_unavailable$/, 'a read needs no log that is written; test/e2e/unavailable.spec.ts'],
];

/** What reports have reached of what is described, and how often; what they have not, with the reason, or null without one. */
export class Coverage {
  private readonly described = new Set<string>();
  private readonly reached = new Map<string, number>();

  add({ described, reached }: Report): void {
    for (const what of described) this.described.add(what);
    for (const [what, times] of reached) this.reached.set(what, (this.reached.get(what) ?? 0) + times);
  }

  /** How many different answers there were, whatever of them is described. */
  get answers(): number {
    return this.reached.size;
  }

  get never(): readonly { readonly what: string; readonly reason: string | null }[] {
    return [...this.described]
      .filter((what) => !this.reached.has(what))
      .map((what) => ({ what, reason: REASONS.find(([pattern]) => pattern.test(what))?.[1] ?? null }));
  }

  /** What is described and was reached the fewest times. */
  get rarest(): readonly { readonly what: string; readonly times: number }[] {
    return [...this.described]
      .flatMap((what) => {
        const times = this.reached.get(what);
        return times === undefined ? [] : [{ what, times }];
      })
      .sort((one, other) => one.times - other.times)
      .slice(0, 20);
  }
}
