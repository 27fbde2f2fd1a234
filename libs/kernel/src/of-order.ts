import type { Instant } from './instant.js';

// A list, made again by each event: V8 would learn an object with orders as members as a new shape each time.

interface OfOrder {
  readonly orderId: string;
}

/** What a list has for an order, which it has at most once; undefined where it has nothing. */
export const ofOrder = <One extends OfOrder>(list: readonly One[], orderId: string): One | undefined =>
  list.find((one) => one.orderId === orderId);

/** The list without what it has for an order. */
export const withoutOrder = <One extends OfOrder>(list: readonly One[], orderId: string): readonly One[] =>
  list.filter((one) => one.orderId !== orderId);

/** An order that may take nothing any more, until the `holdBefore` that it would be refused after anyway (rule 6). */
export interface Fence extends OfOrder {
  readonly holdBefore: Instant;
}

/** The fences that still matter at an instant. */
export const standing = (fences: readonly Fence[], at: Instant): readonly Fence[] =>
  fences.filter(({ holdBefore }) => holdBefore >= at);
