import { flood, type Flooding } from './flood.js';

const [, , kind = '', port, count, addresses] = process.argv;
const running = flood(kind as Flooding, Number(port), { count: Number(count), addresses: Number(addresses) });
process.on('message', () => process.send?.(running.tally()));
