/**
 * Stands between a use case and a port: does the work, or something else first, instead or afterwards. `call` says what
 * is asked for: `append SeatsHeld`, `read booking`, `insert payment-ledger`, `charge`.
 */
export type Intercept = <Answer>(call: string, work: () => Promise<Answer>) => Promise<Answer>;
