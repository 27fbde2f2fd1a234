import type { Breach } from '#verifier';

/** How many breaches are told one by one: a log that was rewritten may have one at every event. */
const LISTED = 10_000;

/** The breaches of an audit, all counted and the first ones listed. */
export class BreachList {
  readonly listed: Breach[] = [];
  count = 0;

  add(breaches: readonly Breach[]): void {
    this.count += breaches.length;
    for (const breach of breaches) if (this.listed.length < LISTED) this.listed.push(breach);
  }
}
