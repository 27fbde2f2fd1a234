import { guards, type Mutation } from '../mutation.js';

const REQUESTS = 'libs/http/src/idempotency/idempotent-requests.ts';
const requests = 'libs/http/src/idempotency/idempotent-requests.spec.ts';
const retries = 'libs/http/src/idempotency/idempotent-retries.spec.ts';

export const KEY_GUARDS: readonly Mutation[] = [
  ...guards(21, REQUESTS, requests, {
    'the fingerprint': [
      "if (earlier.body.fingerprint !== fingerprint) throw new DomainError('idempotency_conflict');",
      '',
    ],
    'the lease': [
      "if (this.clock.now() < earlier.body.leasedUntil) throw new DomainError('idempotency_in_flight');",
      '',
      'who starts a second time starts under the same id, and rule 3 lets one of them run it',
    ],
  }),
  ...guards(21, REQUESTS, retries, {
    'the compare-and-set on take-over': [
      "if (!(await this.replace(earlier, body))) throw new DomainError('idempotency_in_flight');",
      'await this.replace(earlier, body);',
      'who starts a second time starts under the same id, and rule 3 lets one of them run it',
    ],
    'keeping the id after a 5xx': [
      'const id = ended ? this.ids.next() : resourceId;',
      'const id = this.ids.next();',
      'the money is taken once all the same: it is a second try that is told no',
    ],
    'the order that a key completes': [
      'const earlier = (await completes?.()) ?? null;',
      'const earlier = completes ? null : null;',
      'the money is taken once all the same: it is a second try that is told no',
    ],
    'the second look at one’s own order': [
      'const end = started instanceof BegunBefore ? await this.endOf(resourceId, operation) : null;',
      'const end = null;',
      'the money is taken once all the same: it is a second try that is told no',
    ],
  }),
  ...guards(
    21,
    'libs/http/src/idempotency/idempotency-record.ts',
    'libs/http/src/idempotency/idempotency-record.spec.ts',
    {
      'the placeholders': [
        'const named = placeholders(urls).map(',
        'const named = placeholders(urls).slice(2).map(',
        'all processes of a life have the same address',
      ],
    },
  ),
  ...guards(21, 'libs/order/src/orders/orders.ts', 'test/scenarios/left-open.spec.ts', {
    'that what is answered as paid is over': [
      "if (order.kind !== 'pending') await finishOpen(",
      "if (order.kind === 'pending') await finishOpen(",
    ],
  }),
  ...guards(21, 'libs/booking/src/booking.decider.ts', 'libs/booking/src/booking.decider.spec.ts', {
    'the memory of orders given up': ['if (checkout.orderId in current.abandoned) throw new TooLate();', ''],
  }),
];
