import { describe, expect, it } from '@jest/globals';
import { AgentHashes } from './agent-hashes.js';

const KEY = Buffer.alloc(32, 1);
const [TODAY, TOMORROW] = ['2026-01-15T12:00:00.000Z', '2026-01-16T00:00:00.000Z'];

describe('hashes of agents', () => {
  it('are the same of a client in every process and on every day', () => {
    const [one, other] = [new AgentHashes(KEY), new AgentHashes(KEY)];
    expect(one.of('a', true, TODAY)).toBe(other.of('a', true, TOMORROW));
    expect(one.of('a', true, TODAY)).not.toBe(one.of('b', true, TODAY));
    expect(one.of('a', true, TODAY)).not.toBe(new AgentHashes(Buffer.alloc(32, 2)).of('a', true, TODAY));
  });

  it('are the same of an address for a day, and then another; and of another process another', () => {
    const hashes = new AgentHashes(KEY);
    const today = hashes.of('192.0.2.1 curl', false, TODAY);
    expect(hashes.of('192.0.2.1 curl', false, TODAY)).toBe(today);
    expect(new AgentHashes(KEY).of('192.0.2.1 curl', false, TODAY)).not.toBe(today);
    expect(hashes.of('192.0.2.1 curl', false, TOMORROW)).not.toBe(today);
  });
});
