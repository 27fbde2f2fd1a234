import type { AuditedEvent, Breach } from '../audited-event.js';
import { Bookings } from './bookings.js';
import { Delegations } from './delegations.js';
import { Flights } from './flights.js';
import type { Tell } from './mandate-state.js';
import { Mandates } from './mandates.js';
import { WrongForm } from './members.js';
import { Orders, teller } from './orders.js';

/** All rules that hold within and between streams, for a whole log read once in its order, or for whole streams of it. */
export class LogRules {
  readonly orders: Orders;
  private readonly bookings: Bookings;
  private readonly flights: Flights;
  private readonly mandates: Mandates;
  private readonly delegations: Delegations;

  /** `isHere`: whether a stream is read from its beginning; rules between streams hold only where both are. */
  constructor(isHere: (stream: string) => boolean = () => true) {
    this.orders = new Orders(isHere);
    this.bookings = new Bookings(this.orders);
    this.flights = new Flights(this.orders);
    this.mandates = new Mandates(this.orders.mandates);
    this.delegations = new Delegations((id) => this.mandates.stateOf(id), isHere);
  }

  /** What the next event of the log breaks. */
  next(event: AuditedEvent): readonly Breach[] {
    const { stream, revision } = event;
    const found: Breach[] = [];
    const tell = teller(found, stream, revision);
    try {
      this.apply(event, found, tell);
    } catch (error) {
      if (!(error instanceof WrongForm)) throw error;
      if (!found.some(({ rule }) => rule === 'form')) tell('form', `${event.type}: ${error.message}`);
    }
    return found;
  }

  private apply(event: AuditedEvent, found: Breach[], tell: Tell): void {
    const { stream, type } = event;
    switch (stream.slice(0, stream.indexOf('-'))) {
      case 'mandate': {
        const history = this.mandates.at(stream, event.metadata.occurredAt);
        found.push(...history.next(event).breaches);
        if (type === 'MandateCreated') this.delegations.created(event, tell);
        if (MOVES.has(type) && this.orders.isFollowed(stream, event.data))
          this.orders.move(event, history.state.constraints, tell);
        return;
      }
      case 'booking':
        this.bookings.next(event, tell);
        return;
      case 'flight':
        this.flights.next(event, tell);
        return;
      case 'delegation':
        this.delegations.next(event, tell);
        return;
      case 'order':
        if (!this.orders.isFollowed(stream, event.data)) return;
        if (type === 'OrderPlaced') this.orders.place(event, tell);
        else if (type === 'OrderPaid') this.orders.pay(event, tell);
        else if (type === 'OrderFailed') this.orders.fail(event, tell);
        else if (type !== 'PaymentChallenged') tell('form', `an order has no event ${type}`);
    }
  }
}

const MOVES = new Set(['MandateReserved', 'MandateConsumed', 'MandateReleased']);
