/** What was answered while a life went on. Everything answered has to hold in the end. */
export class Answered {
  /** What should never happen, as it happened. */
  readonly wrongs: string[] = [];
  private readonly promises: (() => string | null)[] = [];

  /** Keeps something to be looked at when everything is over. */
  promise(what: string, isKept: () => boolean): void {
    this.promises.push(() => (isKept() ? null : `${what}, and that did not last`));
  }

  /** What was answered and turned out otherwise. */
  broken(): readonly string[] {
    return this.promises.map((check) => check()).filter((finding) => finding !== null);
  }
}
