/** The parts of the API's answers that the demo shows. Amounts are integer cents. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}
export interface Flights {
  readonly count: number;
  readonly items: readonly {
    readonly flightNumber: string;
    readonly from: string;
    readonly to: string;
    readonly departureTime: string;
    readonly seats: number;
  }[];
}
export interface Option {
  readonly fareCode: string;
  readonly fareName: string;
  readonly baggage: string;
  readonly total: Money;
  readonly fitsBudget: boolean;
  readonly reasons: readonly string[];
}
export interface Quote {
  readonly options: readonly Option[];
  readonly bestByConstraints: Option | null;
}
export interface Booking {
  readonly id: string;
  readonly flightNumber: string;
  readonly fareCode: string;
  readonly total: Money;
}
export interface Mandate {
  readonly id: string;
  readonly status: string;
  readonly limit: Money;
  readonly consumed: Money;
  readonly remaining: Money;
  readonly duration: { readonly expiresAt: string };
}
export interface Order {
  readonly id: string;
  readonly status: string;
  readonly ticketCode: string;
  readonly grandTotal: Money;
}
export interface Receipt {
  readonly receiptId: string;
  readonly issuedAt: string;
  readonly line: { readonly description: string };
  readonly total: Money;
  readonly payment: { readonly brand: string; readonly last4: string; readonly status: string };
  readonly note: string;
}
export interface Refused {
  readonly error: string;
  readonly message: string;
  readonly details?: { readonly required?: Money; readonly remaining?: Money };
}
