/**
 * Options of an LRUCache that forgets what was used longest ago beyond `most` entries. The library's own `max` lays room for
 * all of them at once: 1.5 ms for 10,000, before the first comes.
 */
export const upTo = (most: number) => ({ maxSize: most, sizeCalculation: one }) as const;

const one = (): number => 1;
