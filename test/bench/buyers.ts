import { tokensFor } from '../support/agent.js';
import type { Booking, Mandate } from '../support/answers.js';
import { book, buy, grant } from '../support/purchase.js';
import { tripOf } from './flights.js';
import { LightApi } from './light-api.js';
import { perSecond, side, timed } from './numbers.js';

/** Buyers at once: each asks again as soon as it is answered. */
export const BUYERS = 64;
/** More than any bench spends, in cents. */
export const ENOUGH = 10_000_000_000;

export interface Round {
  readonly perSecond: number;
  /** Milliseconds of each request. */
  readonly times: readonly number[];
}

/** 64 buyers of one service. They are made here, in the process that takes the times; the service has one of its own. */
export interface Buyers {
  readonly api: LightApi;
  /** A mandate of each buyer's own, and one that all of them may spend. */
  readonly own: (place: number) => Mandate;
  readonly one: () => Mandate;
  /** Makes so many bookings, all buyers at once, each through the one of some services that its order will go through. */
  readonly book: (
    count: number,
    apis?: readonly LightApi[],
  ) => Promise<Round & { readonly bookings: readonly Booking[] }>;
  /** Orders bookings, all buyers at once or fewer, each paid from the mandate of its place, through one of some services. */
  readonly order: (
    bookings: readonly Booking[],
    mandateOf: (place: number) => Mandate,
    buyers?: number,
    apis?: readonly LightApi[],
  ) => Promise<Round>;
  /** The same agent at another service over the same stores. */
  readonly at: (origin: string) => LightApi;
}

export const openBuyers = async (origin: string): Promise<Buyers> => {
  const token = (await tokensFor(origin)).access_token;
  const at = (place: string) => new LightApi(`${place}/api/v1`, token);
  const api = at(origin);
  const one = await grant(api, ENOUGH);
  const own = await Promise.all(Array.from({ length: BUYERS }, () => grant(api, ENOUGH)));
  let booked = 0;

  const round = async <Item>(
    items: readonly Item[],
    work: (item: Item) => Promise<unknown>,
    buyers = BUYERS,
  ): Promise<Round> => {
    const times: number[] = [];
    const all = await timed(() => side(buyers, items, async (item) => times.push(await timed(() => work(item)))));
    return { perSecond: perSecond(items.length, all), times };
  };

  return {
    api,
    own: (place) => own[place % BUYERS] ?? one,
    one: () => one,
    book: async (count, apis = [api]) => {
      const bookings: Booking[] = [];
      const made = await round([...Array.from({ length: count }).keys()], async (place) => {
        booked += 1;
        bookings[place] = await book(apis[place % apis.length] ?? api, tripOf(booked));
      });
      return { ...made, bookings };
    },
    at,
    order: (bookings, mandateOf, buyers, apis = [api]) =>
      round(
        [...bookings.entries()],
        ([place, booking]) => buy(apis[place % apis.length] ?? api, booking, mandateOf(place)),
        buyers,
      ),
  };
};
