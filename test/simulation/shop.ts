import { IdempotentRequests } from '#http';
import { CHARGE_SCOPES, money, newCause, type Party, systemContext } from '#kernel';
import { CreateMandate, delegations, loadMandate, Mandates } from '#mandate';
import { Endpoints } from '#outbox';
import {
  agentOf,
  Ap2Purchases,
  type Asking,
  type Authority,
  CHECKOUT,
  CheckoutSessions,
  itemId,
  PaymentTokens,
  type SessionView,
} from '../../libs/ucp/src/testing/index.js';
import { CountedIds } from '../support/counted-ids.js';
import type { LogicalProcess, Peculiarities } from '../support/logical-process.js';
import type { Stores } from '../support/shared-stores.js';
import { PRICE } from '../support/market.js';
import { paidBy } from '../support/ucp.js';
import { DEPARTURE, paymentBy, type Paying, SESSIONS, URLS } from './world.js';

/** The one platform of all lives, and the agent that it is to a traveller. */
const PLATFORM = 'https://platform.example/profile';
export const shopperOf = (holder: string): Party => ({ holder, clientId: agentOf({ profile: PLATFORM }) });
/** Who gave the platform a mandate to pay with. */
export const PAYER = shopperOf('ana');

/** How long (ms) a request with a key may run before a retry takes over, as it is by default. */
const REQUEST_LEASE = 60_000;

/** What the platform pays with: its tokens are the names of cards. */
class ShopTokens extends PaymentTokens {
  constructor(private readonly mandateId: string) {
    super();
  }

  override handlers() {
    return {};
  }

  override authorityOf(
    _: Asking,
    { credential }: { readonly credential?: { readonly token?: string } | undefined },
  ): Promise<Authority> {
    return Promise.resolve({
      party: PAYER,
      mandateId: this.mandateId,
      card: paymentBy((credential?.token ?? 'good') as Paying),
    });
  }
}

/** What a process needs beside all others, so that platforms and the travellers of its pages can buy. */
export const shopParts =
  ({ secret, ids }: Pick<Stores, 'secret' | 'ids'>, mandateId: string): NonNullable<Peculiarities['others']> =>
  ({ documents, aggregates, clock }) => [
    [IdempotentRequests, new IdempotentRequests(documents, clock, ids, secret, REQUEST_LEASE)],
    [PaymentTokens, new ShopTokens(mandateId)],
    [Endpoints, new Endpoints(documents, [secret])],
    [
      Mandates,
      {
        get: async (id: string, holder: string) => ({
          mandate: await loadMandate(aggregates, id, holder),
          at: clock.now(),
        }),
      },
    ],
    // Nobody here knows mandates of AP2.
    [Ap2Purchases, {}],
  ];

/** Who asks by every request of the platform: itself, by its signature. */
const ASKING: Asking = {
  platform: { profile: PLATFORM, capabilities: new Map(), webhookUrl: null, keys: [] },
  active: new Set([CHECKOUT]),
  proof: 'signature',
  caller: null,
  urls: URLS,
  cause: newCause(new CountedIds()),
};
const REPLY = { header: () => undefined, log: { error: () => undefined }, request: {} };

/** A write of the platform, which may be sent again under its key; null: it has none. */
const writeBy = (key: string | null) =>
  ({ reply: REPLY, ...(key !== null && { key }) }) as unknown as Parameters<CheckoutSessions['cancel']>[2];

const linesOf = (place: number, quantity: number) => ({
  line_items: [{ item: { id: itemId({ flightId: DEPARTURE, fareCode: SESSIONS[place]?.fare ?? 'LEVE' }) }, quantity }],
});

/** What the platform asks of a process. The answer of each is the session, or what is said instead of one. */
export const platformAt = ({ the }: Pick<LogicalProcess, 'the'>) => {
  const sessions = the(CheckoutSessions);
  return {
    create: (place: number) => sessions.create(ASKING, linesOf(place, SESSIONS[place]?.seats ?? 1), writeBy(null)),
    get: (id: string) => sessions.get(ASKING, id),
    change: (id: string, place: number, seats: number) =>
      sessions.update(ASKING, id, linesOf(place, seats), writeBy(null)),
    cancel: (id: string) => sessions.cancel(ASKING, id, writeBy(null)),
    complete: (id: string, card: Paying, key: string | null) =>
      sessions.complete(ASKING, id, paidBy(card), writeBy(key)),
  };
};

/** Lets the platform in for its payer, with a mandate, and has it put its sessions together; returns their ids. */
export const furnishShop = async (use: LogicalProcess, mandateId: string): Promise<readonly string[]> => {
  const context = { ...systemContext('a test'), actor: PAYER };
  const authorize = {
    type: 'AuthorizeAgent',
    ...PAYER,
    grantId: 'g',
    scopes: CHARGE_SCOPES,
    cap: null,
    asksFirst: false,
  } as const;
  await use.aggregates.handle(delegations, PAYER, authorize, context);
  const terms = { scope: CHARGE_SCOPES, limit: money(3 * PRICE, 'BRL'), minutes: 60 };
  await use.createMandate.execute(new CreateMandate(mandateId, PAYER, terms, context, { by: 'traveller' }));
  const ids: string[] = [];
  for (const place of SESSIONS.keys()) ids.push(((await platformAt(use).create(place)) as SessionView).id);
  return ids;
};
