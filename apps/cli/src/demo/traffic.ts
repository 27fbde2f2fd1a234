import { SystemClock } from '#kernel';
import { Api, discover, ProofKey, type Registration, requiresProofs } from '#agent';
import { table } from '../audit/format.js';
import { allow, authorize, type Cast } from './authorize.js';
import { type Agent, type Call, ERRANDS } from './errands.js';

/** How much traffic is made, and over how long: whichever comes first ends it. */
export interface Bounds {
  readonly calls: number;
  readonly seconds: number;
}

interface Stage {
  readonly origin: string;
  readonly client: Registration;
  readonly travellers: readonly Cast['traveller'][];
  readonly bounds: Bounds;
  readonly write: (text: string) => void;
}

/** All calls are made, or the time is over. */
class Enough extends Error {
  override readonly name = 'Enough';
}

/** Lets one call after the other pass, spread over the time there is. @throws Enough */
const pacing = ({ calls, seconds }: Bounds) => {
  const clock = new SystemClock();
  const [since, time] = [clock.monotonic(), seconds * 1_000];
  let made = 0;
  return async (): Promise<void> => {
    if (made >= calls || clock.monotonic() - since > time) throw new Enough();
    const due = since + (made / calls) * time;
    made += 1;
    await clock.sleep(Math.max(0, due - clock.monotonic()));
  };
};

class Tally {
  private readonly counts = new Map<string, number>();

  add(call: string, status: number): void {
    const key = `${status} ${call}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, one) => sum + one, 0);
  }

  table(): string {
    const rows = [...this.counts].sort(([one], [other]) => (one < other ? -1 : 1));
    return table(
      ['calls', 'status', 'call'],
      rows.map(([key, calls]) => [calls.toString(), key.slice(0, 3), key.slice(4)]),
      ['calls'],
    );
  }
}

const SILENT = { begin: () => undefined, note: () => undefined };

/** A client of its own for one more agent, where the service lets anybody register one; null: it does not. */
const registered = async (origin: string, name: string, redirectUri: string): Promise<Registration | null> => {
  const { registration_endpoint: endpoint } = (await discover(origin)) as { readonly registration_endpoint?: string };
  if (endpoint === undefined) return null;
  const body = JSON.stringify({
    client_name: name,
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  });
  const answer = await fetch(endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!answer.ok) return null;
  const { client_id: clientId } = (await answer.json()) as { readonly client_id: string };
  return { clientId, secret: null, redirectUri };
};

/** Agents search, compare, buy and are refused: the pilot, one that registers itself, and two without a token. */
export const makeTraffic = async ({ origin, client, travellers, bounds, write }: Stage): Promise<void> => {
  const base = `${origin}/api/v1`;
  const isBound = await requiresProofs(origin);
  const stranger = await registered(origin, 'Agente de demonstração', client.redirectUri);
  const casts = [
    ...travellers.slice(0, 3).map((traveller) => ({ client, traveller })),
    ...(stranger && travellers[0] ? [{ client: stranger, traveller: travellers[0] }] : []),
  ].map((cast): Cast => ({ ...cast, key: isBound ? new ProofKey() : null }));
  write(`Alçada demo: ${casts.length + 2} agents on ${origin}, ${bounds.calls} calls in ${bounds.seconds} s at most\n`);
  const tokens: (string | null)[] = [null, null];
  for (const cast of casts) tokens.push((await authorize(origin, cast, SILENT)).access_token);
  const turn = pacing(bounds); // the time begins when all have what they need
  const tally = new Tally();
  const callOf =
    (api: Api, name: string): Call =>
    async (method, path, body, as = path) => {
      await turn();
      const answer = await api.call<never>(method, path, body, { 'user-agent': `alcada-demo/1.0 (${name})` });
      tally.add(`${method} ${as}`, answer.status);
      return answer;
    };
  const agents = tokens.map((token, place): Agent => {
    const cast = casts[place - 2];
    const call = callOf(new Api(base, token, cast?.key), cast?.client.clientId ?? 'sem token');
    return { call, allow: cast ? (url) => allow(url, origin, cast) : null };
  });
  await Promise.all(agents.map((agent, place) => untilEnough(agent, place * 3)));
  write(`\n${tally.total} calls made.\n\n${tally.table()}\nSee them at ${origin}/observability\n`);
};

const untilEnough = async (agent: Agent, from: number): Promise<void> => {
  try {
    for (let round = from; ; round += 1) await ERRANDS[round % ERRANDS.length]?.(agent, round);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
};
