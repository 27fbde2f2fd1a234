import { Injectable } from '@nestjs/common';
import {
  type Charge,
  forbiddenBy,
  type GrantedMandate,
  isOrderedOut,
  type KnownDelegation,
  listedMandates,
  type MandateListItem,
  mandates,
  refusedCharge,
  remainingOf,
  statusOf,
} from '#mandate';
import { ReadModelStore } from '#documents';
import { Aggregates } from '#event-store';
import { CHARGE_SCOPES, covers, DomainError, type Instant, type Money } from '#kernel';
import { ReadModels } from '#read-models';

/** Mandates by id as the list has them; it may be behind, and lack some. */
type Listed = (mandateIds: readonly string[]) => Promise<ReadonlyMap<string, MandateListItem>>;

type Open = Pick<KnownDelegation, 'openMandates' | 'ending' | 'pauseOfAll'>;

type Spending = Pick<Charge, 'amount' | 'purchase'>;

@Injectable()
export class MandateChoice {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  /** @throws DomainError `agents_paused`, `mandate_required`, `mandate_ambiguous`, `mandate_limit_exceeded` */
  choose(delegation: Open, purchase: Spending, now: Instant): Promise<string> {
    const listed: Listed = (ids) => listedMandates(this.store, this.readModels, ids);
    return chooseMandate({ aggregates: this.aggregates, listed }, delegation, purchase, now);
  }
}

/** The mandate for a charge that names none (docs/consistency.md, rule 20). @throws DomainError `mandate_…` */
export const chooseMandate = async (
  { aggregates, listed }: { readonly aggregates: Aggregates; readonly listed: Listed },
  { openMandates, ending, pauseOfAll }: Open,
  { amount, purchase }: Spending,
  now: Instant,
): Promise<string> => {
  if (pauseOfAll?.isOn) throw new DomainError('agents_paused');
  const open = Object.entries(openMandates).flatMap(([mandateId, { limit, expiresAt }]) =>
    now < expiresAt && limit.currency === amount.currency && !ending.includes(mandateId) ? [mandateId] : [],
  );
  const known = open.length > 1 ? await listed(open) : new Map<string, MandateListItem>();
  const isHopeless = (mandateId: string): boolean => {
    const item = known.get(mandateId);
    return item !== undefined && (isForbidden(item, { amount, purchase }) || hasTooLittle(item, amount));
  };
  const hasEnough = (mandate: GrantedMandate) => remainingOf(mandate).amount >= amount.amount && !isOrderedOut(mandate);

  const possible = open.filter((mandateId) => !isHopeless(mandateId));
  const candidates: GrantedMandate[] = [];
  const enough: string[] = [];
  for (const [place, mandateId] of possible.entries()) {
    const { state } = await aggregates.load(mandates, mandateId);
    if (state.kind !== 'granted' || !mayPay(state, { amount, purchase }, now)) continue;
    candidates.push(state);
    if (hasEnough(state)) enough.push(mandateId);
    if (enough.length < 2) continue;
    const others = possible.slice(place + 1).filter((other) => {
      const item = known.get(other);
      return item
        ? item.phase === 'open' && hasEnough(item)
        : (openMandates[other]?.limit.amount ?? 0) >= amount.amount;
    });
    throw new DomainError('mandate_ambiguous', { mandateIds: [...enough, ...others] });
  }
  const [chosen] = enough;
  if (chosen !== undefined) return chosen;
  const rest: GrantedMandate[] = [];
  for (const mandateId of open) {
    const item = known.get(mandateId);
    if (!item || isForbidden(item, { amount, purchase }) || !hasTooLittle(item, amount)) continue;
    const { state } = item.phase === 'open' ? { state: item } : await aggregates.load(mandates, mandateId);
    if (state.kind === 'granted' && mayPay(state, { amount, purchase }, now)) rest.push(state);
  }
  return theOnlyOne([...candidates, ...rest], amount);
};

/** What never changes back: revoked or expired, too narrow in scope, or not for such a flight. */
const isForbidden = (item: MandateListItem, { amount, purchase }: Spending): boolean =>
  OVER.includes(item.phase) || !covers(item.scope, CHARGE_SCOPES) || forbiddenBy(item, purchase, amount) !== null;

/** Pauses end and approvals come: neither is the end of a mandate. */
const OVER: readonly MandateListItem['phase'][] = ['revoked', 'expired'];

/** Not even all of it would do, if it came back. What waits for its traveller may still be given another ceiling. */
const hasTooLittle = ({ phase, limit }: MandateListItem, { amount }: Money): boolean =>
  phase !== 'pending' && limit.amount < amount;

/** Valid, in the right currency, wide enough in scope and for such a flight; how much remains is not asked yet. */
const mayPay = (mandate: GrantedMandate, { amount, purchase }: Spending, now: Instant): boolean =>
  statusOf(mandate, now) === 'valid' &&
  mandate.limit.currency === amount.currency &&
  covers(mandate.scope, CHARGE_SCOPES) &&
  forbiddenBy(mandate, purchase, amount) === null;

/** Where none has enough left: a single one is authorized by itself, so that its refusal stands in its stream. */
const theOnlyOne = (candidates: readonly GrantedMandate[], required: Money): string => {
  const [only, ...others] = candidates;
  if (!only) throw new DomainError('mandate_required');
  if (others.length === 0) return only.mandateId;
  throw refusedCharge({ reason: 'mandate_limit_exceeded', amount: required }, richest(candidates));
};

/** The one with most left: what it could pay at most is what the agent learns. */
const richest = (candidates: readonly GrantedMandate[]): GrantedMandate =>
  candidates.reduce((most, mandate) => (remainingOf(mandate).amount > remainingOf(most).amount ? mandate : most));
