/** The API's answers, as tests read them. Amounts are integer cents. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

export interface Flight {
  readonly flightNumber: string;
  readonly from: string;
  readonly to: string;
}

export interface Booking {
  readonly id: string;
  readonly flightNumber: string | null;
  readonly departureDate: string | null;
  readonly fareCode: string | null;
  readonly passengers: number;
  readonly total: Money;
  readonly expiresAt: string | null;
  readonly travellers?: readonly object[];
  readonly contact?: object;
}

export interface Mandate {
  readonly id: string;
  readonly status: string;
  readonly limit: Money;
  readonly consumed: Money;
  readonly reserved: Money;
  readonly remaining: Money;
  readonly duration: { readonly minutes: number; readonly startsAt: string; readonly expiresAt: string };
  readonly revocation: { readonly revokedAt: string | null };
}

export interface Order {
  readonly id: string;
  readonly status: string;
  readonly grandTotal: Money;
  readonly ticketCode: string | null;
  readonly locator: string | null;
  readonly tickets: readonly { readonly ticketCode: string; readonly traveller: object | null }[];
  readonly travellers?: readonly object[];
  readonly contact?: object;
  readonly createdAt: string;
  readonly url: string;
  readonly failure?: string;
}

/** The part of a receipt that tells of tickets. */
export interface Receipt {
  readonly locator: string;
  readonly line: { readonly ticketCode: string; readonly ticketCodes: readonly string[] };
}

export interface List<Item> {
  readonly count: number;
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export interface Refused {
  readonly error: string;
  readonly message: string;
  readonly requestId: string;
  readonly details?: unknown;
}
