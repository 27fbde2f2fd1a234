import type { Mutation } from '../mutation.js';

const REQUESTS = 'libs/http/src/idempotency/idempotent-requests.ts';
const requests = 'libs/http/src/idempotency/idempotent-requests.spec.ts';
const retries = 'libs/http/src/idempotency/idempotent-retries.spec.ts';

/** The guards of an `Idempotency-Key`: rule 21. */
export const KEY_GUARDS: readonly Mutation[] = [
  {
    rule: 21,
    name: 'the fingerprint',
    file: REQUESTS,
    from: "if (earlier.body.fingerprint !== fingerprint) throw new DomainError('idempotency_conflict');",
    to: '',
    spec: requests,
  },
  {
    rule: 21,
    name: 'the lease',
    file: REQUESTS,
    from: "if (this.clock.now() < earlier.body.leasedUntil) throw new DomainError('idempotency_in_flight');",
    to: '',
    spec: requests,
    beyond: 'who starts a second time starts under the same id, and rule 3 lets one of them run it',
  },
  {
    rule: 21,
    name: 'the compare-and-set on take-over',
    file: REQUESTS,
    from: "if (!(await this.replace(earlier, body))) throw new DomainError('idempotency_in_flight');",
    to: 'await this.replace(earlier, body);',
    spec: retries,
    beyond: 'who starts a second time starts under the same id, and rule 3 lets one of them run it',
  },
  {
    rule: 21,
    name: 'keeping the id after a 5xx',
    file: REQUESTS,
    from: 'const id = ended ? this.ids.next() : resourceId;',
    to: 'const id = this.ids.next();',
    spec: retries,
    beyond: 'the money is taken once all the same: it is a second try that is told no',
  },
  {
    rule: 21,
    name: 'the placeholders',
    file: 'libs/http/src/idempotency/idempotency-record.ts',
    from: 'const named = placeholders(urls).map(',
    to: 'const named = placeholders(urls).slice(2).map(',
    spec: 'libs/http/src/idempotency/idempotency-record.spec.ts',
    beyond: 'all processes of a life have the same address',
  },
  {
    rule: 21,
    name: 'the order that a key completes',
    file: REQUESTS,
    from: 'const earlier = (await completes?.()) ?? null;',
    to: 'const earlier = completes ? null : null;',
    spec: retries,
    beyond: 'the money is taken once all the same: it is a second try that is told no',
  },
  {
    rule: 21,
    name: 'the second look at one’s own order',
    file: REQUESTS,
    from: 'const end = isAbout(started, resourceId, operation) ? await this.endOf(resourceId, operation) : null;',
    to: 'const end = null;',
    spec: retries,
    beyond: 'the money is taken once all the same: it is a second try that is told no',
  },
  {
    rule: 21,
    name: 'the memory of orders given up',
    file: 'libs/booking/src/booking.decider.ts',
    from: 'if (checkout.orderId in current.abandoned) throw new TooLate();',
    to: '',
    spec: 'libs/booking/src/booking.decider.spec.ts',
  },
];
