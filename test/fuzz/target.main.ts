import { StoreUnavailable } from '#event-store';
import { ANA, BRUNO } from '../support/agent.js';
import { letPass, registerOtherAgent, startService } from '../support/service.js';
import type { Asked, Told } from './target.js';

/** The service in a process of its own: reports CPU time and writes, lets time pass, has its log refuse writes. */
const service = await startService(process.env['DATA_DIR'] ?? '', {
  TRUST_PROXY: 'loopback',
  // Of the first one the login page shows the address (a demonstration); the others are nobody's to see.
  DEMO_TRAVELLERS: ['demo@example.com', ANA.email, BRUNO.email].join(),
  ...(JSON.parse(process.env['FUZZ_ENVIRONMENT'] ?? '{}') as Readonly<Record<string, string>>),
});
await registerOtherAgent(service);
const { events, documents } = service.dependencies;
const append = events.append.bind(events);
let head = await events.head();

/** How many documents of each collection there are more than at the start, and how often one was changed. */
const counted: Record<string, number> = {};
const count = (what: string, more: number): void => {
  counted[what] = (counted[what] ?? 0) + more;
};
const insert = documents.insert.bind(documents);
const replace = documents.replace.bind(documents);
const remove = documents.delete.bind(documents);
const counting: Pick<typeof documents, 'insert' | 'replace' | 'delete'> = {
  insert: async (collection, ...rest) => {
    await insert(collection, ...rest);
    count(collection, 1);
  },
  replace: async (collection, ...rest) => {
    const isDone = await replace(collection, ...rest);
    if (isDone) count(`${collection}, changed`, 1);
    return isDone;
  },
  delete: async (collection, ...rest) => {
    const isDone = await remove(collection, ...rest);
    if (isDone) count(collection, -1);
    return isDone;
  },
};
Object.assign(documents, counting);

/** What it wrote: the events since the last time, and the documents since the start. */
const news = async (): Promise<Told> => {
  const written: Told['events'][number][] = [];
  for await (const event of events.readAll(head)) {
    const { type, stream, metadata } = event;
    written.push({ type, stream, cause: metadata.$correlationId, holder: metadata.actor.holder });
    head = event;
  }
  const { user, system } = process.cpuUsage();
  return { events: written, documents: { ...counted }, cpu: (user + system) / 1_000 };
};

const answer = async (asked: Asked): Promise<Told | number> => {
  if (asked.pass !== undefined) letPass(service, asked.pass);
  if (asked.refuseWrites !== undefined) {
    const refusing: typeof append = () => Promise.reject(new StoreUnavailable('the disk is full'));
    Object.assign(events, { append: asked.refuseWrites ? refusing : append });
  }
  if (asked.news) return news();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
process.on('message', (asked: Asked) => void answer(asked).then((told) => process.send?.(told)));
process.on('disconnect', () => void service.stop().then(() => process.exit(0)));
process.send?.(Number(new URL(service.origin).port));
