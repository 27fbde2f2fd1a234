/**
 * What is written down of an agent: a client's hash alone; an address's with the name of the salt it was made with, since
 * with every salt (of a day, of a process) the same address is another hash.
 */
export const addressHash = (hash: string, salt: string): string => `${hash}.${salt}`;

/**
 * How many agents some hashes are of for certain. One address has a hash of each process it calls and of each start, so
 * addresses count by the one salt that knows the most.
 */
export const certainAgents = (hashes: Iterable<string>): number => {
  let clients = 0;
  const addresses = new Map<string, number>();
  for (const hash of hashes) {
    const [, salt] = hash.split('.', 2);
    if (salt === undefined) clients += 1;
    else addresses.set(salt, (addresses.get(salt) ?? 0) + 1);
  }
  return clients + Math.max(0, ...addresses.values());
};
