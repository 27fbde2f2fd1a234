/** Stands between a use case and a port. `call` says what is asked for, such as `append SeatsHeld` or `charge`. */
export type Intercept = <Answer>(call: string, work: () => Promise<Answer>) => Promise<Answer>;
