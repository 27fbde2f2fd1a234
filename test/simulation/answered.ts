/** What was answered while a life went on. Everything answered has to hold in the end. */
export class Answered {
  /** What should never happen, as it happened. */
  readonly wrongs: string[] = [];
  private readonly promises: (() => Promise<string | null>)[] = [];

  /** Keeps something to be looked at when everything is over. */
  promise(what: string, isKept: () => Promise<boolean>): void {
    this.promises.push(async () => ((await isKept()) ? null : `${what}, and that did not last`));
  }

  /** What was answered and turned out otherwise. */
  async broken(): Promise<readonly string[]> {
    const found = await Promise.all(this.promises.map((check) => check()));
    return found.filter((finding) => finding !== null);
  }
}
