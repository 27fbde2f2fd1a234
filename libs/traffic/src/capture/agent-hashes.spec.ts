import { addressHash, AgentHashes, certainAgents } from './agent-hashes.js';

const KEY = Buffer.alloc(32, 1);
const [TODAY, TOMORROW] = ['2026-01-15T12:00:00.000Z', '2026-01-16T00:00:00.000Z'];

describe('hashes of agents', () => {
  it('are the same for a client in every process and on every day', () => {
    const [one, other] = [new AgentHashes(KEY), new AgentHashes(KEY)];
    expect(one.of('a', true, TODAY)).toBe(other.of('a', true, TOMORROW));
    expect(one.of('a', true, TODAY)).not.toBe(one.of('b', true, TODAY));
    expect(one.of('a', true, TODAY)).not.toBe(new AgentHashes(Buffer.alloc(32, 2)).of('a', true, TODAY));
  });

  it('are the same for an address during one day, and differ on the next day and in another process', () => {
    const hashes = new AgentHashes(KEY);
    const today = hashes.of('192.0.2.1 curl', false, TODAY);
    expect(hashes.of('192.0.2.1 curl', false, TODAY)).toBe(today);
    expect(new AgentHashes(KEY).of('192.0.2.1 curl', false, TODAY)).not.toBe(today);
    expect(hashes.of('192.0.2.1 curl', false, TOMORROW)).not.toBe(today);
  });

  it('take a late call of the day before for one of the day that has begun, whose salt stays', () => {
    const hashes = new AgentHashes(KEY);
    const tomorrow = hashes.of('192.0.2.1 curl', false, TOMORROW);
    expect(hashes.of('192.0.2.1 curl', false, TODAY)).toBe(tomorrow);
    expect(hashes.of('192.0.2.1 curl', false, TOMORROW)).toBe(tomorrow);
  });

  it('count an address that five processes saw as one agent', () => {
    const seen = ['a', 'b', 'c', 'd', 'e'].map((salt) => addressHash(`hash-${salt}`, salt));
    expect(certainAgents(seen)).toBe(1);
    expect(certainAgents([...seen, addressHash('other', 'c'), 'a-client', 'another'])).toBe(4);
    expect(certainAgents([])).toBe(0);
  });
});
