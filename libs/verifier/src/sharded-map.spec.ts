import { ShardedMap } from './sharded-map.js';

it('a sharded map has each name once, whatever it ends in', () => {
  const map = new ShardedMap<number>();
  const names = ['', 'a', 'AL4011', ...Array.from({ length: 5_000 }, (_, place) => `order-${place.toString(16)}`)];
  for (const [place, name] of names.entries()) expect(map.of(name, () => place)).toBe(place);
  for (const [place, name] of names.entries()) expect(map.of(name, () => -1)).toBe(place);
  expect(map.size).toBe(names.length);
  expect([...map.values()].sort((one, other) => one - other)).toEqual([...names.keys()]);
  expect(map.get('order-')).toBeUndefined();
});
