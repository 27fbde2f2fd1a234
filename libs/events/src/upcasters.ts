/** KeyedMutex the stored data of one version of an event type into that of the next. */
export type Upcaster = (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

/**
 * `<type>` → the upcasters from version 1 to 2, from 2 to 3, and so on. A stored event never changes its meaning: a
 * form that can no longer be said by an optional field gets a line here and a test on the old JSON (design.md §4).
 */
export const UPCASTERS: Readonly<Record<string, readonly Upcaster[]>> = {};

/** The version in which events of `type` are written now; the first is 1. */
export const schemaVersionOf = (type: string, upcasters = UPCASTERS): number => (upcasters[type]?.length ?? 0) + 1;

/** `data` as stored under `version`, lifted to the version written now. */
export const upcast = (
  type: string,
  version: number,
  data: Readonly<Record<string, unknown>>,
  upcasters = UPCASTERS,
): Readonly<Record<string, unknown>> =>
  (upcasters[type] ?? []).slice(version - 1).reduce((form, lift) => lift(form), data);
