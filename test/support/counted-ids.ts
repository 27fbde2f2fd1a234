import { Ids } from '#kernel';

/** Ids in the order they were asked for, so that a run can be repeated and read. */
export class CountedIds extends Ids {
  constructor(private count = 0) {
    super();
  }

  /** Goes on from the same id. */
  copy(): CountedIds {
    return new CountedIds(this.count);
  }

  next(): string {
    this.count += 1;
    return `00000000-0000-4000-8000-${this.count.toString(16).padStart(12, '0')}`;
  }
}
