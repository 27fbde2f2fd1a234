import { expect, it } from '@jest/globals';
import { addressHash, certainAgents } from './agents.rule.js';

it('takes one address that five processes saw for one agent', () => {
  const seen = ['a', 'b', 'c', 'd', 'e'].map((salt) => addressHash(`hash-${salt}`, salt));
  expect(certainAgents(seen)).toBe(1);
  expect(certainAgents([...seen, addressHash('other', 'c'), 'a-client', 'another'])).toBe(4);
  expect(certainAgents([])).toBe(0);
});
