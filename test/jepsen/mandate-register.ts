import type { Call } from './history.js';
import type { Step } from './linearizable.js';

/** A mandate as those see it who were only told of it: a register of cents. */
export interface Register {
  readonly limit: number;
  consumed: number;
  isRevoked: boolean;
  /** What is set aside, by intent. */
  readonly reserved: Map<string, number>;
  readonly paid: Set<string>;
  readonly refunded: Set<string>;
}

export const newRegister = (limit: number): Register => ({
  limit,
  consumed: 0,
  isRevoked: false,
  reserved: new Map(),
  paid: new Set(),
  refunded: new Set(),
});

const nothing = (): void => undefined;
const rest = ({ limit, consumed, reserved }: Register): number =>
  [...reserved.values()].reduce((left, amount) => left - amount, limit - consumed);

/** When something happened, as far as the caller knows. */
type Span = Pick<Call, 'start' | 'end'>;

const reserve = ({ start, end }: Span, intent: string, amount: number): Step<Register> => ({
  start,
  end,
  isLook: false,
  fits: (mandate) =>
    !mandate.isRevoked && !mandate.paid.has(intent) && !mandate.reserved.has(intent) && rest(mandate) >= amount,
  apply: ({ reserved }) => void reserved.set(intent, amount),
  undo: ({ reserved }) => void reserved.delete(intent),
  says: `reserve ${amount} for ${intent}`,
});

const release = ({ start, end }: Span, intent: string, amount: number): Step<Register> => ({
  start,
  end,
  isLook: false,
  fits: ({ reserved }) => reserved.has(intent),
  apply: ({ reserved }) => void reserved.delete(intent),
  undo: ({ reserved }) => void reserved.set(intent, amount),
  says: `release ${intent}`,
});

const consume = ({ start, end }: Span, intent: string, amount: number): Step<Register> => ({
  start,
  end,
  isLook: false,
  fits: ({ reserved }) => reserved.has(intent),
  apply: (mandate) => {
    mandate.reserved.delete(intent);
    mandate.paid.add(intent);
    mandate.consumed += amount;
  },
  undo: (mandate) => {
    mandate.reserved.set(intent, amount);
    mandate.paid.delete(intent);
    mandate.consumed -= amount;
  },
  says: `consume ${amount} for ${intent}`,
});

/** A mandate that has ended takes back what was paid with it too. */
const refund = ({ start, end }: Span, intent: string, amount: number): Step<Register> => ({
  start,
  end,
  isLook: false,
  fits: ({ paid, refunded }) => paid.has(intent) && !refunded.has(intent),
  apply: (mandate) => {
    mandate.refunded.add(intent);
    mandate.consumed -= amount;
  },
  undo: (mandate) => {
    mandate.refunded.delete(intent);
    mandate.consumed += amount;
  },
  says: `refund ${amount} of ${intent}`,
});

const revoke = ({ start, end }: Span): Step<Register> => ({
  start,
  end,
  isLook: false,
  fits: ({ isRevoked }) => !isRevoked,
  apply: (mandate) => void (mandate.isRevoked = true),
  undo: (mandate) => void (mandate.isRevoked = false),
  says: 'revoke',
});

const look = ({ start, end }: Span, says: string, fits: Step<Register>['fits']): Step<Register> => ({
  start,
  end,
  isLook: true,
  fits,
  apply: nothing,
  undo: nothing,
  says,
});

const never = (start: number): Span => ({ start, end: Infinity });

/** What may have happened to one mandate. An order sets money aside in one step and spends it, or not, in another. */
export const stepsOf = (calls: readonly Call[]): readonly Step<Register>[] => {
  const byIntent = (kind: Call['kind']): ReadonlyMap<string, readonly Call[]> => {
    const attempts = new Map<string, Call[]>();
    for (const call of calls)
      if (call.kind === kind) attempts.set(call.intent, [...(attempts.get(call.intent) ?? []), call]);
    return attempts;
  };
  return [
    ...[...byIntent('order')].flatMap(([intent, of]) => orderSteps(intent, of)),
    ...[...byIntent('cancel')].flatMap(([intent, of]) => cancellationSteps(intent, of)),
    ...revocationSteps(calls.filter(({ kind }) => kind === 'revoke')),
    ...calls.flatMap((call) => (call.kind === 'read' && call.seen ? [readStep(call, call.seen)] : [])),
  ];
};

const orderSteps = (intent: string, attempts: readonly Call[]): readonly Step<Register>[] => {
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (!first || !last) return [];
  const { amount } = first;
  // Seats that are gone, or a revocation, may have ended it when its money was set aside already.
  const lost = attempts
    .filter(({ outcome }) => outcome === 'unknown' || outcome === 'revoked' || outcome === 'refused')
    .flatMap(({ start }) => [reserve(never(start), intent, amount), release(never(start), intent, amount)]);
  const whole = { start: first.start, end: last.end };
  switch (last.outcome) {
    case 'paid':
      return [...lost, reserve(whole, intent, amount), consume(whole, intent, amount)];
    case 'declined':
      return [...lost, reserve(whole, intent, amount), release(whole, intent, amount)];
    case 'over the limit':
      return [...lost, look(last, `${intent} refused over the limit`, (mandate) => rest(mandate) < amount)];
    case 'revoked':
      return [...lost, look(last, `${intent} refused as revoked`, ({ isRevoked }) => isRevoked)];
    case 'unknown':
    case 'none':
      return [...lost, consume(never(first.start), intent, amount)];
    default:
      return lost;
  }
};

const cancellationSteps = (intent: string, attempts: readonly Call[]): readonly Step<Register>[] => {
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (!first || !last || last.outcome === 'refused') return [];
  const end = last.outcome === 'refunded' ? last.end : Infinity;
  return [refund({ start: first.start, end }, intent, first.amount)];
};

/** Each attempt may have revoked it; when one is answered, nothing is set aside any more. */
const revocationSteps = (attempts: readonly Call[]): readonly Step<Register>[] => {
  if (attempts.length === 0) return [];
  const start = Math.min(...attempts.map((one) => one.start));
  const answered = attempts.filter(({ outcome }) => outcome === 'done');
  const end = Math.min(...answered.map((one) => one.end), Infinity);
  const settled = ({ isRevoked, reserved }: Register) => isRevoked && reserved.size === 0;
  return [revoke({ start, end }), ...answered.map((one) => look(one, 'revoked, and nothing is set aside', settled))];
};

const readStep = (call: Call, { consumed, reserved, isRevoked }: NonNullable<Call['seen']>): Step<Register> =>
  look(
    call,
    `read: ${consumed} consumed, ${reserved} reserved${isRevoked ? ', revoked' : ''}`,
    (mandate) =>
      mandate.consumed === consumed &&
      mandate.limit - mandate.consumed - rest(mandate) === reserved &&
      mandate.isRevoked === isRevoked,
  );
