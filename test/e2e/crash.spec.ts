import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '#agent';
import { flights, tripOf } from '../bench/flights.js';
import { side } from '../bench/numbers.js';
import { agentAt } from '../support/agent.js';
import type { Booking, Mandate, Order, Refused } from '../support/answers.js';
import { capturedOrders, readBooks } from '../support/books.js';
import { writeCatalog } from '../support/catalog.js';
import { findings } from '../support/findings.js';
import { bodyOf, book, grant, mandateNow, order } from '../support/purchase.js';
import { type RealProcess, startProcess } from '../support/real-process.js';
import { ownFolder, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';
import { swept } from '../support/sweep.js';

stayEmbedded('it kills a process over the files of a folder');

const ROUNDS = swept({ short: 2, middle: 6, full: 200 });
const BUYERS = 64;
/** The moment is a random one within so many answered orders, and within so many ms after the last of these. */
const [ANSWERED, MORE] = [48, 30];
const PRICE = 279_90;
const ENOUGH = PRICE * 1_000_000;
const CHECKED_AT_ONCE = 16;

type Service = RealProcess & { readonly origin: string };
interface Purchase {
  readonly booking: Booking;
  readonly mandate: Mandate;
  /** What was answered; null where the service died first. */
  order: Order | null;
}

const folder = ownFolder(() => service.end('SIGTERM'));
let catalogue: string;
let booked = 0;
const start = (): Promise<Service> =>
  startProcess(folder, {
    CATALOG_FILE: catalogue,
    LOG_LEVEL: 'silent',
    LIMIT_OPEN_MANDATES: '0',
    LIMIT_REFUSED_CARDS: '0',
    LIMIT_OPERATIONS: '0',
    RECOVERY_PAUSE_SECONDS: '0.05',
  });

let service: Service;
beforeAll(async () => {
  catalogue = await writeCatalog(folder, flights());
  service = await start();
});

const buyOn = async (api: Api, mandate: Mandate, made: Purchase[], onPaid: () => void): Promise<void> => {
  try {
    for (;;) {
      booked += 1;
      const purchase: Purchase = { booking: await book(api, tripOf(booked)), mandate, order: null };
      made.push(purchase);
      purchase.order = bodyOf(await order(api, purchase.booking, mandate), 201);
      onPaid();
    }
  } catch (error) {
    // What fetch says of a connection that broke; anything else is an answer that should not have been.
    if (!/^TypeError: (?:fetch failed|terminated)$/.test(String(error))) throw error;
  }
};

/** Lets 64 buyers order and kills the service meanwhile; returns what they bought, or were about to. */
const killedUnderLoad = async (mandates: readonly Mandate[], api: Api): Promise<readonly Purchase[]> => {
  const made: Purchase[] = [];
  let left = 1 + Math.floor(Math.random() * ANSWERED);
  const onPaid = () => {
    left -= 1;
    if (left === 0) void sleep(Math.random() * MORE).then(() => service.end('SIGKILL'));
  };
  const buyers = Array.from({ length: BUYERS / mandates.length }, () => mandates).flat();
  await Promise.all(buyers.map((mandate) => buyOn(api, mandate, made, onPaid)));
  expect(await service.ended).toEqual({ code: null, signal: 'SIGKILL' });
  return made;
};

/** What is consumed of all the mandates, once recovery has left nothing reserved. */
const consumedOf = async (api: Api, mandates: readonly Mandate[]): Promise<number> => {
  let consumed = 0;
  await side(CHECKED_AT_ONCE, mandates, async (mandate) => {
    let now = await mandateNow(api, mandate);
    for (; now.reserved.amount > 0; now = await mandateNow(api, mandate)) await sleep(20);
    expect(now.consumed.amount + now.remaining.amount).toBe(now.limit.amount);
    consumed += now.consumed.amount;
  });
  return consumed;
};

/** Everything that was answered is there as it was answered. */
const expectKept = async (api: Api, { id, ticketCode, grandTotal }: Order): Promise<void> => {
  const now = bodyOf(await api.get<Order>(`/orders/${id}`), 200);
  expect(now).toMatchObject({ status: 'paid', ticketCode, grandTotal });
  expect(bodyOf(await api.get(`/orders/${id}/receipt`), 200)).toMatchObject({ ticketId: id });
};

/** Orders it once more, which only a booking without a ticket allows; returns whether it was paid before. */
const wasPaid = async (api: Api, { booking, mandate, order: answered }: Purchase): Promise<boolean> => {
  const { status, body } = await order(api, booking, mandate);
  if (status === 201) return false;
  const refused = body as Partial<Refused & { order: Order }>;
  expect([status, refused.error, refused.order?.status]).toEqual([409, 'booking_already_ordered', 'paid']);
  if (answered) expect(refused.order?.id).toBe(answered.id);
  return true;
};

describe('a service killed while 64 buyers order, and started again', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'has lost nothing it answered, holds nothing for what it did not, and its money adds up (kill %i)',
    async (round) => {
      const before = await agentAt(service.origin);
      const count = round % 2 === 0 ? BUYERS : 1; // one mandate for all, or one for each
      const mandates = await Promise.all(Array.from({ length: count }, () => grant(before, ENOUGH)));
      const made = await killedUnderLoad(mandates, before);

      service = await start();
      const api = await agentAt(service.origin);
      const consumed = await consumedOf(api, mandates);
      const answered = made.flatMap((purchase) => purchase.order ?? []);
      await side(CHECKED_AT_ONCE, answered, (one) => expectKept(api, one));

      let paidBefore = 0;
      await side(CHECKED_AT_ONCE, made, async (purchase) => {
        const isPaid = await wasPaid(api, purchase);
        if (isPaid) paidBefore += 1;
        expect(isPaid || purchase.order === null).toBe(true);
      });
      expect(consumed).toBe(paidBefore * PRICE);
      expect(await consumedOf(api, mandates)).toBe(made.length * PRICE);
    },
  );

  it('has books that agree in the end', async () => {
    await service.end('SIGTERM');
    const survivor = await startService(folder, { CATALOG_FILE: catalogue });
    try {
      const { events, documents } = survivor.dependencies;
      const books = await readBooks(events, documents);
      expect(findings(books)).toEqual([]);
      expect(capturedOrders(books).length).toBeGreaterThanOrEqual(ROUNDS);
    } finally {
      await survivor.stop();
    }
  });
});
