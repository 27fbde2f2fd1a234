/** How the end of a process is divided (ms), by steps (docs/operations.md, Stopping). Each has also what those before left over. */
export const STOP_BUDGET = {
  /** It says that it is not ready, and goes on answering: a proxy asks once a second. */
  farewell: 1_500,
  /** Requests under way; a second before the end of it, the connections of the rest are cut. */
  requests: 3_500,
  /** The last counts of agent traffic are written. */
  traffic: 1_000,
  /** Recovery and the projections finish what they are at, and give their leases back. */
  work: 1_000,
  /** The stores write their logs into their files, and are closed. */
  stores: 500,
  /** The last spans are sent. */
  telemetry: 1_000,
} as const;

/** How long (ms) a process may take to stop: then it ends, whatever is left. Container runtimes kill it after ten seconds. */
export const STOP_LIMIT = 9_500;
