/** A JSON answer as it is sent. */
export interface Prepared {
  readonly body: Buffer;
  /** The entity tag of these bytes, and of no others. */
  readonly etag: string;
}

/** What an operation answers with that can be answered again from memory: what it shows may change, who asks does not matter. */
export class RepeatableAnswer {
  /**
   * `now`: the answer as of now, at once where nothing has to be read first; it throws what the operation throws. `holds`: how
   * many bytes it keeps beside what others keep.
   */
  constructor(
    readonly now: () => Prepared | Promise<Prepared>,
    readonly holds: number,
  ) {}
}

/** A function of what is there at once, or comes later. */
export const whenThere = <One, Other>(one: One | Promise<One>, then: (one: One) => Other): Other | Promise<Other> =>
  one instanceof Promise ? one.then(then) : then(one);
