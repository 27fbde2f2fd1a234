import { type Constraints, idOf, type Line } from '#events';
import type { BookedEvent, Books } from './books.js';

/** What is wrong with the mandates, each by itself, with what is counted of it in its delegation, and with how many wait. */
export const mandateFindings = ({ events }: Books): readonly string[] => {
  const mandates = new Map<string, FollowedMandate>();
  const lines = new Map<string, Line>();
  const found: string[] = [];
  const followed = (id: string): FollowedMandate => {
    const mandate = mandates.get(id) ?? new FollowedMandate(id);
    mandates.set(id, mandate);
    return mandate;
  };
  for (const event of events) {
    const { type, data, stored } = event;
    if (type === 'BookingCheckoutStarted') lines.set(data.orderId, data.line);
    if (type === 'MandateOpened' || type === 'OpenMandateNarrowed' || type === 'MandateClosed')
      followed(data.mandateId).count(event);
    if (!stored.stream.startsWith('mandate-')) continue;
    followed(idOf(stored.stream)).see(event, lines);
    if (type !== 'MandateRequested') continue;
    const later = new Date(Date.parse(stored.metadata.occurredAt) + SKEW).toISOString();
    const waiting = [...mandates.values()].filter((one) => one.isWaiting(data.holder, later));
    const ofAgent = waiting.filter((one) => one.isOf(data.clientId));
    if (ofAgent.length > OF_AGENT) found.push(`${ofAgent.length} mandates of ${data.clientId} wait at once`);
    if (waiting.length > OF_HOLDER) found.push(`${waiting.length} mandates of ${data.holder} wait at once`);
  }
  return [...found, ...[...mandates.values()].flatMap((mandate) => mandate.wrongs())];
};

/** How many may wait at once of an agent, and of its traveller. */
const [OF_AGENT, OF_HOLDER] = [3, 9];
const MINUTE = 60_000;
/** How far (ms) two clocks may be apart, one of which has jumped: to one a place is free that another still counts. */
export const SKEW = 240_000;

/** Follows one mandate through the log by rules of its own: limit = consumed + reserved + remaining, at every moment. */
class FollowedMandate {
  private readonly found: string[] = [];
  private asked: { readonly holder: string; readonly clientId: string; readonly lapsesAt: string } | null = null;
  private approved: { readonly limit: number; readonly expiresAt: string } | null = null;
  private isCreated = false;
  private isPaused = false;
  /** The last pause of everything that reached it, and whether it holds. */
  private ofAll = { pause: 0, isOn: false };
  private isOver = false;
  private limit = 0;
  private end = '';
  private constraints: Constraints = {};
  private consumed = 0;
  private paid = 0;
  private readonly reserved = new Map<string, number>();
  private readonly paidBy = new Map<string, number>();
  /** What its delegation counts of it; null: nothing. */
  private counted: number | null = null;

  constructor(private readonly id: string) {}

  isWaiting(holder: string, at: string): boolean {
    return this.asked?.holder === holder && !this.isCreated && !this.isOver && at < this.asked.lapsesAt;
  }

  isOf(clientId: string): boolean {
    return this.asked?.clientId === clientId;
  }

  wrongs(): readonly string[] {
    const left = [...this.reserved.keys()].map((orderId) => `still reserves for order ${orderId}`);
    const isLeft = this.isOver && this.counted !== null;
    return [...this.found, ...left, ...(isLeft ? ['is over and still counts'] : [])].map(
      (finding) => `mandate ${this.id} ${finding}`,
    );
  }

  /** An event of its delegation: what can be spent is never more than what is counted (rules 19 and 29). */
  count({ type, data }: BookedEvent): void {
    this.counted = type === 'MandateOpened' || type === 'OpenMandateNarrowed' ? data.limit.amount : null;
    if (this.counted !== null) this.check(this.counted >= this.limit, 'counts less than can be spent');
  }

  see({ type, data, stored }: BookedEvent, lines: ReadonlyMap<string, Line>): void {
    const at = stored.metadata.occurredAt;
    switch (type) {
      case 'MandateRequested':
        this.check(!this.isCreated && this.asked === null, 'was asked for again');
        this.asked = data;
        break;
      case 'MandateApproved':
        this.check(this.isWaiting(this.asked?.holder ?? '', at), 'was approved and does not wait');
        this.check(this.approved === null, 'was approved twice');
        this.approved = { limit: data.limit.amount, expiresAt: data.expiresAt };
        break;
      case 'MandateCreated':
        this.check(!this.isCreated && !this.isOver, 'was created twice, or after its end');
        this.check(this.counted === data.limit.amount, 'was created with more than was opened, or less');
        if (this.asked) this.check(at < this.asked.lapsesAt, 'was created after it had lapsed');
        if (this.asked || this.approved)
          this.check(
            this.approved?.limit === data.limit.amount && this.approved.expiresAt === data.expiresAt,
            'was created otherwise than it was approved',
          );
        this.isCreated = true;
        [this.limit, this.end, this.constraints] = [data.limit.amount, data.expiresAt, data.constraints ?? {}];
        break;
      case 'MandateNarrowed': {
        const isSooner = data.expiresAt !== this.end;
        this.check(this.isCreated && data.limit.amount <= this.limit, 'was narrowed to more');
        this.check(!isSooner || data.expiresAt < this.end, 'was narrowed to a later end');
        this.check(!isSooner || Date.parse(data.expiresAt) - Date.parse(at) >= MINUTE, 'was narrowed to end too soon');
        [this.limit, this.end] = [data.limit.amount, data.expiresAt];
        break;
      }
      case 'MandatePaused':
        this.check(this.isCreated && !this.isOver, 'was paused and not in force');
        if (data.pause === undefined) {
          this.check(!this.isPaused, 'was paused twice');
          this.isPaused = true;
        } else {
          this.check(data.pause > this.ofAll.pause, 'was paused again by the same pause of everything');
          this.ofAll = { pause: data.pause, isOn: true };
        }
        break;
      case 'MandateResumed':
        this.check(data.pause === undefined ? this.isPaused : this.ofAll.isOn, 'was resumed and not paused');
        if (data.pause === undefined) this.isPaused = false;
        else this.ofAll = { pause: data.pause, isOn: false };
        break;
      case 'MandateRevoked':
      case 'MandateExpired':
        this.isOver = true;
        break;
      case 'MandateReserved':
        this.reserve(data.orderId, data.amount.amount, at, lines.get(data.orderId));
        break;
      case 'MandateConsumed':
      case 'MandateReleased': {
        const reserved = this.reserved.get(data.orderId) ?? 0;
        this.check(reserved === data.amount.amount, `had ${reserved} reserved and ${type} otherwise`);
        this.reserved.delete(data.orderId);
        if (type === 'MandateReleased') break;
        this.consumed += data.amount.amount;
        this.paid += 1;
        this.paidBy.set(data.orderId, data.amount.amount);
        break;
      }
      case 'MandateRefunded':
        this.check((this.paidBy.get(data.orderId) ?? -1) >= data.amount.amount, 'refunded more than it paid, or twice');
        this.paidBy.delete(data.orderId);
        this.consumed -= data.amount.amount;
        this.paid -= 1;
    }
    const committed = [...this.reserved.values()].reduce((sum, amount) => sum + amount, this.consumed);
    this.check(committed <= this.limit, 'is over its limit');
  }

  private reserve(orderId: string, amount: number, at: string, line: Line | undefined): void {
    const { from, to, maxPricePerSeat, maxOrders, orderTotal } = this.constraints;
    this.check(
      this.isCreated && !this.isPaused && !this.ofAll.isOn && !this.isOver && at < this.end,
      'reserved and was not in force',
    );
    this.check(!!line && from?.includes(line.from) !== false, 'reserved for a flight from elsewhere');
    this.check(!!line && to?.includes(line.to) !== false, 'reserved for a flight to elsewhere');
    const price = maxPricePerSeat?.amount ?? Infinity;
    this.check(!!line && line.unitPrice.amount <= price, 'reserved for a seat above its price');
    const isInBounds = amount <= (orderTotal?.max.amount ?? Infinity) && amount >= (orderTotal?.min?.amount ?? 0);
    this.check(isInBounds, 'reserved for an order that costs too much or too little');
    this.reserved.set(orderId, amount);
    this.check(this.paid + this.reserved.size <= (maxOrders ?? Infinity), 'reserved for one order too many');
  }

  private check(isSo: boolean, otherwise: string): void {
    if (!isSo) this.found.push(otherwise);
  }
}
