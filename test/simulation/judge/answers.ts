import type { BookedEvent, Books } from '../../support/books.js';
import type { Agreed, Answer, Decided, End, Moment, Ordered, Seen } from '../end.js';
import { spendingsUnder } from './spending.js';

/** What was answered and is not so: when it was said, or in the end. */
export const answerFindings = (end: End, books: Books): readonly string[] => {
  const said = new Said(end, books);
  return [...end.answers.flatMap((answer) => findingsOf(answer, said)), ...keyFindings(end), ...codeFindings(end)];
};

const findingsOf = (answer: Answer, said: Said): readonly string[] => {
  if (answer.did === 'order') return ofOrder(answer, said);
  if (answer.refusal !== null) return [];
  switch (answer.did) {
    case 'create':
    case 'approve':
      return ofGrant(answer, said);
    case 'narrow':
      return ofNarrowing(answer, said);
    case 'pause':
    case 'revoke':
      return ofStop(answer, said);
    case 'cap':
      return ofCap(answer, said);
    case 'consent':
      return [...ofConsent(answer, said), ...ofConsentedCap(answer, said)];
    case 'deny':
      return ofConsent(answer, said);
    case 'revoke agent':
      return ofAgent(answer, said);
    case 'look':
      return ofLook(answer, said);
    case 'pause all':
      return ofPauseOfAll(answer, said);
    case 'resume':
    case 'resume all':
    case 'mode':
    case 'shop':
      return [];
  }
};

/** The log with its moments, asked by the rules below. */
class Said {
  private readonly captures: ReadonlyMap<string, Moment>;

  constructor(
    private readonly end: End,
    readonly books: Books,
  ) {
    this.captures = new Map(end.captures.map(({ orderId, at }) => [orderId, at]));
  }

  /** Whether another try under this key may have begun the order, also one that nobody was answered (rule 21). */
  isTriedAgain(answer: Ordered): boolean {
    const isDefinite = ({ refusal }: Answer) => refusal !== null && refusal !== 'payment_challenge_required';
    const isOfIt = (other: Answer) => other.did === 'order' && other.orderId === answer.orderId;
    return answer.key !== undefined || this.end.answers.some((other) => isOfIt(other) && !isDefinite(other));
  }

  /** When an order was captured; Infinity: never. */
  capturedAt(orderId: string): Moment {
    return this.captures.get(orderId) ?? Infinity;
  }

  capturedAfter(moment: Moment): readonly string[] {
    return this.end.captures.flatMap(({ orderId, at }) => (at > moment ? [orderId] : []));
  }

  /** When an event was written; Infinity: never. */
  writtenAt(isIt: (event: BookedEvent) => boolean, from: Moment = 0): Moment {
    const place = this.books.events.findIndex((event, at) => this.momentOf(at) > from && isIt(event));
    return place < 0 ? Infinity : this.momentOf(place);
  }

  /** The events of a mandate's own stream up to a moment. */
  ofMandate(mandateId: string, until: Moment): readonly BookedEvent[] {
    const stream = `mandate-${mandateId}`;
    return this.books.events.filter(({ stored }, at) => stored.stream === stream && this.momentOf(at) <= until);
  }

  lengthAt(moment: Moment): number {
    const place = this.end.written.findIndex((at) => at > moment);
    return place < 0 ? this.end.written.length : place;
  }

  momentOf(place: number): Moment {
    return this.end.written[place] ?? 0;
  }
}

/** What is answered as paid was captured before, and has its ticket; what is refused is never charged (rules 5 and 7). */
const ofOrder = (answer: Ordered, said: Said): readonly string[] => {
  const { orderId, refusal, paid, answered } = answer;
  if (refusal === 'open' || refusal === 'payment_challenge_required') return [];
  if (refusal !== null) {
    const isCharged = said.capturedAt(orderId) < Infinity;
    return isCharged && !said.isTriedAgain(answer)
      ? [`order ${orderId} was refused as ${refusal}, and is charged`]
      : [];
  }
  const found: string[] = [];
  if (said.capturedAt(orderId) > answered) found.push(`order ${orderId} was answered as paid before it was captured`);
  const isPaid = ({ type, data, stored }: BookedEvent) =>
    type === 'OrderPaid' &&
    stored.stream === `order-${orderId}` &&
    (!paid || (data.ticketCode === paid.ticketCode && data.payment.amount.amount === paid.total));
  if (said.writtenAt(isPaid) > answered) found.push(`order ${orderId} was answered as paid, and not as it was`);
  const isTicketed = ({ type, data }: BookedEvent) => type === 'BookingTicketed' && data.orderId === orderId;
  // The booking comes last: until then an order may be seen paid (rule 5).
  if (said.writtenAt(isTicketed) === Infinity) found.push(`order ${orderId} was answered as paid, and has no ticket`);
  return found;
};

/** A mandate is there once it was said to be, with that ceiling, or waits as it was said to (rules 19 and 31). */
const ofGrant = ({ did, mandateId, status, limit, answered }: Decided, said: Said): readonly string[] => {
  if (status === 'revoked' || status === 'expired') return []; // there was nothing to be done any more
  // An approval by a clock that is behind comes too late and sees it wait: nothing is granted, and nothing was said to be.
  const isApproved = said.ofMandate(mandateId, answered).some(({ type }) => type === 'MandateApproved');
  const isPending = status === 'pending' && (did === 'create' || !isApproved);
  const wanted = isPending ? 'MandateRequested' : 'MandateCreated';
  const created = said
    .ofMandate(mandateId, answered)
    .flatMap(({ type, data }) => (type === 'MandateCreated' || type === 'MandateRequested' ? [{ type, data }] : []));
  const isThere = created.some(({ type }) => type === wanted);
  if (!isThere) return [`mandate ${mandateId} was answered as ${isPending ? 'waiting' : 'granted'}, and was not`];
  const isSo = limit === undefined || said.books.events.some(isLimit(mandateId, limit));
  return isSo ? [] : [`mandate ${mandateId} was answered with ${limit}, and never had that`];
};

const isLimit =
  (mandateId: string, limit: number) =>
  ({ type, data, stored }: BookedEvent): boolean =>
    stored.stream === `mandate-${mandateId}` &&
    (type === 'MandateCreated' || type === 'MandateRequested' || type === 'MandateNarrowed') &&
    data.limit.amount === limit;

/** What was narrowed counts no more than that in its delegation either (rule 29). */
const ofNarrowing = ({ mandateId, limit = Infinity, answered }: Decided, said: Said): readonly string[] => {
  let counted: number | null = null;
  for (const [place, { type, data }] of said.books.events.entries()) {
    if (said.momentOf(place) > answered) break;
    const isOpen = type === 'MandateOpened' || type === 'OpenMandateNarrowed';
    if (isOpen && data.mandateId === mandateId) counted = data.limit.amount;
    if (type === 'MandateClosed' && data.mandateId === mandateId) counted = null;
  }
  const isSo = counted === null || counted <= limit;
  return isSo ? [] : [`mandate ${mandateId} was narrowed to ${limit} and still counts ${counted}`];
};

/** After a revocation or pause no earlier order is captured or holds money; what is revoked is closed (rules 9, 29). */
const ofStop = ({ did, mandateId, status, asked, answered }: Decided, said: Said): readonly string[] => {
  const before = said.ofMandate(mandateId, answered);
  const found: string[] = [];
  const held = new Set<string>();
  let stoppedAt = -1;
  for (const { type, data, stored } of before) {
    if (type === 'MandateReserved') held.add(data.orderId);
    if (type === 'MandateConsumed' || type === 'MandateReleased') held.delete(data.orderId);
    if (type === 'MandateRevoked' || type === 'MandateExpired') stoppedAt = stored.revision;
    if (type === 'MandatePaused' && data.pause === undefined) stoppedAt = stored.revision;
    if (type === 'MandateResumed' && data.pause === undefined) stoppedAt = -1;
  }
  const isGranted = before.some(({ type }) => type === 'MandateCreated');
  const resumed = said.writtenAt(
    ({ type, data, stored }) =>
      type === 'MandateResumed' && data.pause === undefined && stored.stream === `mandate-${mandateId}`,
    asked,
  );
  if (resumed > answered) {
    if (stoppedAt < 0 && isGranted && status !== 'expired') found.push('was not stopped');
    for (const orderId of held) found.push(`still reserved for order ${orderId}`);
  }
  const reservedAt = (orderId: string) =>
    said.writtenAt(({ type, data }) => type === 'MandateReserved' && data.orderId === orderId);
  const stream = `mandate-${mandateId}`;
  for (const orderId of said.capturedAfter(answered)) {
    const isOfIt = said.books.events.some(
      ({ type, data, stored }) => type === 'MandateReserved' && stored.stream === stream && data.orderId === orderId,
    );
    if (isOfIt && (did === 'revoke' || reservedAt(orderId) < resumed)) found.push(`paid order ${orderId} afterwards`);
  }
  const isOpened = ({ type, data }: BookedEvent) => type === 'MandateOpened' && data.mandateId === mandateId;
  const isClosed = ({ type, data }: BookedEvent) => type === 'MandateClosed' && data.mandateId === mandateId;
  if (did === 'revoke' && isGranted && said.writtenAt(isOpened) <= answered && said.writtenAt(isClosed) > answered)
    found.push('was not closed');
  return found.map((finding) => `mandate ${mandateId}, when its ${did} was answered, ${finding}`);
};

/** After a pause of everything nothing opens, is reserved or captured, whichever agent asks, until it is undone (rule 41). */
const ofPauseOfAll = ({ holder, asked, answered }: Agreed, said: Said): readonly string[] => {
  const undone = said.writtenAt(
    ({ type, stored }) => type === 'AgentsResumed' && stored.stream === `pause-${holder}`,
    asked,
  );
  const own = new Set<string>();
  const orders = new Set<string>();
  const found: string[] = [];
  for (const [place, { type, data, stored }] of said.books.events.entries()) {
    const at = said.momentOf(place);
    if (at >= undone) break;
    if (type === 'MandateCreated' && data.holder === holder) own.add(stored.stream);
    const isOpening = type === 'MandateOpened' && stored.stream.startsWith(`delegation-${holder}.`);
    const isReserving = type === 'MandateReserved' && own.has(stored.stream);
    if (isReserving) orders.add(data.orderId);
    if (at > answered && (isOpening || isReserving)) found.push(`${type} in ${stored.stream}`);
  }
  for (const orderId of said.capturedAfter(answered))
    if (orders.has(orderId) && said.capturedAt(orderId) < undone) found.push(`a capture of order ${orderId}`);
  return found.map((what) => `everything of ${holder} was answered as paused, and then came ${what}`);
};

/** While a cap is in force, no more is spent than it allows or was spent already (rule 28). */
const ofCap = ({ holder, clientId, cap, answered }: Agreed, said: Said): readonly string[] => {
  if (cap === undefined) return [];
  const spendings = spendingsUnder(said.books.events, `delegation-${holder}.${clientId}`, said.lengthAt(answered), cap);
  const most = Math.max(cap ?? 0, spendings[0] ?? 0);
  const isSo = spendings.every((spent) => spent <= most);
  return isSo ? [] : [`a cap of ${cap} was answered, and ${spendings.join(', ')} was spent`];
};

/** A consent grants what it was answered with, and a refused one nothing (rule 30). */
const ofConsent = ({ did, requestId, mandates = [], answered }: Agreed, said: Said): readonly string[] =>
  mandates.flatMap(({ mandateId, limit }) => {
    const createdAt = said.writtenAt(
      ({ type, data }) =>
        type === 'MandateCreated' && data.mandateId === mandateId && (did === 'deny' || data.limit.amount === limit),
    );
    if (did === 'deny')
      return createdAt < Infinity ? [`request ${requestId} was refused, and granted ${mandateId}`] : [];
    return createdAt > answered ? [`request ${requestId} did not grant ${mandateId} up to ${limit}`] : [];
  });

/** A consent has set its cap by the time it is answered: no agent is let in without it (rules 19 and 30). */
const ofConsentedCap = (
  { holder, clientId, requestId, cap, asked, answered }: Agreed,
  said: Said,
): readonly string[] => {
  if (cap === undefined) return [];
  let present: number | null = null;
  let wasInForce = false;
  for (const [place, { type, data, stored }] of said.books.events.entries()) {
    const at = said.momentOf(place);
    if (at > asked) wasInForce ||= present === cap;
    if (at > answered) break;
    if (type === 'SpendingCapSet' && stored.stream === `delegation-${holder}.${clientId}`)
      present = data.cap?.amount ?? null;
  }
  return wasInForce || present === cap
    ? []
    : [`request ${requestId} was granted under a cap of ${cap}, which was not set`];
};

/** Once an agent is revoked, all its mandates are closed, and nothing more of them is captured (rules 9 and 19). */
const ofAgent = ({ holder, clientId, answered }: Agreed, said: Said): readonly string[] => {
  const stream = `delegation-${holder}.${clientId}`;
  const listed: string[] = [];
  let isRevoked = false;
  for (const [place, { type, data, stored }] of said.books.events.entries()) {
    if (said.momentOf(place) > answered) break;
    if (stored.stream !== stream || type !== 'AgentRevoked') continue;
    isRevoked = true;
    listed.push(...data.openMandates);
  }
  const found = isRevoked ? [] : [`agent ${clientId} of ${holder} was answered as revoked, and was not`];
  for (const mandateId of listed) {
    const isClosed = ({ type, data }: BookedEvent) => type === 'MandateClosed' && data.mandateId === mandateId;
    if (said.writtenAt(isClosed) > answered) found.push(`mandate ${mandateId} of a revoked agent was not closed`);
  }
  for (const orderId of said.capturedAfter(answered)) {
    const isOfThem = ({ type, data }: BookedEvent) =>
      type === 'BookingCheckoutStarted' && data.orderId === orderId && listed.includes(data.mandateId);
    if (said.books.events.some(isOfThem)) found.push(`order ${orderId} of a revoked agent was captured`);
  }
  return found;
};

/** A mandate was shown as it was at some moment since it was asked for. */
const ofLook = ({ mandateId, status, amounts, asked, answered }: Seen, said: Said): readonly string[] => {
  const { limit, consumed, reserved, remaining } = amounts;
  const text = `mandate ${mandateId} was shown as ${consumed} + ${reserved} + ${remaining} of ${limit}`;
  if (consumed + reserved + remaining !== limit || Math.min(consumed, reserved, remaining) < 0) return [text];
  const isSpent = consumed === limit;
  const isOver = said.ofMandate(mandateId, asked).some(({ type }) => type === 'MandateRevoked');
  if ((status === 'exhausted' && !isSpent) || (status === 'valid' && isSpent) || (status === 'expired' && isOver))
    return [`mandate ${mandateId} was shown as ${status}, which it was not`];
  const shown = [limit, consumed, reserved].join();
  const present = { limit: 0, consumed: 0, reserved: new Map<string, number>() };
  const seen = new Set<string>();
  const look = () => {
    const sum = [...present.reserved.values()].reduce((all, one) => all + one, 0);
    seen.add([present.limit, present.consumed, sum].join());
  };
  const before = said.ofMandate(mandateId, asked).length;
  for (const [place, { type, data }] of said.ofMandate(mandateId, answered).entries()) {
    if (place >= before) look();
    if (type === 'MandateCreated' || type === 'MandateRequested' || type === 'MandateNarrowed')
      present.limit = data.limit.amount;
    if (type === 'MandateReserved') present.reserved.set(data.orderId, data.amount.amount);
    if (type === 'MandateConsumed') present.consumed += data.amount.amount;
    if (type === 'MandateRefunded') present.consumed -= data.amount.amount;
    if (type === 'MandateConsumed' || type === 'MandateReleased') present.reserved.delete(data.orderId);
  }
  look();
  return seen.has(shown) ? [] : [`${text}, and was not so at any moment meanwhile`];
};

/** One key leads to one order, and to none of another request, unless a refusal has made it free again (rule 21). */
const keyFindings = ({ answers }: End): readonly string[] => {
  const orders = new Map<string, { readonly orderId: string; readonly body: string }>();
  const free = new Set<string>();
  const found: string[] = [];
  for (const answer of answers) {
    if (answer.did !== 'order' || !answer.key || answer.refusal === 'open') continue;
    const { orderId, key, holder, clientId } = answer;
    const id = `${holder}.${clientId} ${key.text}`;
    if (answer.refusal !== null) free.add(id);
    if (answer.refusal !== null || free.has(id)) continue;
    const first = orders.get(id) ?? { orderId, body: key.body };
    orders.set(id, first);
    if (first.orderId !== orderId) found.push(`key ${key.text} led to orders ${first.orderId} and ${orderId}`);
    if (first.body !== key.body) found.push(`key ${key.text} was used for two requests`);
  }
  return found;
};

/** A consent leads to one code (rule 30). */
const codeFindings = ({ answers }: End): readonly string[] => {
  const granted = answers.flatMap((answer) =>
    answer.did === 'consent' && answer.refusal === null && answer.requestId ? [answer.requestId] : [],
  );
  const twice = granted.filter((id, place) => granted.indexOf(id) !== place);
  return twice.map((id) => `request ${id} led to two codes`);
};
