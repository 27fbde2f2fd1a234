import { PILOT, tokensFor } from '../../support/agent.js';
import { LightApi } from '../light-api.js';
import { perSecond, ratioOf, side, spread, timed } from '../numbers.js';
import { withPackages } from '../packages.js';
import { startServer, withFolder } from '../server.js';
import { printTable, type Row } from '../table.js';
import { startInstalled } from './program.js';

const OIDC_PROVIDER = { 'oidc-provider': '9.13.3' };
const ROUNDS = 5;
/** Grants, whose agents refresh and introspect all at once, each one thing after the other. */
const GRANTS = 16;
const REQUESTS = 1_600;

/** An authorization server and what its agents have. */
interface Subject {
  readonly api: LightApi;
  readonly token: string;
  readonly introspection: string;
  readonly authorization: string;
  /** Rotated with every refresh. */
  readonly grants: { refresh: string; readonly access: string }[];
}

const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

const post = async <Body>({ api, authorization }: Subject, path: string, form: Record<string, string>) => {
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  const { status, body } = await api.call<Body>('POST', path, new URLSearchParams(form).toString(), headers);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
};

const refreshed = async (subject: Subject, grant: Subject['grants'][number]): Promise<void> => {
  const form = { grant_type: 'refresh_token', refresh_token: grant.refresh };
  grant.refresh = (await post<{ refresh_token: string }>(subject, subject.token, form)).refresh_token;
};

const introspected = async (subject: Subject, { access }: Subject['grants'][number]): Promise<void> => {
  const { active } = await post<{ active: boolean }>(subject, subject.introspection, { token: access });
  if (!active) throw new Error('a good token was said to be inactive');
};

/** How many a second, all grants at once. */
const rate = async (subject: Subject, work: typeof refreshed): Promise<number> => {
  const each = Array.from({ length: REQUESTS / GRANTS });
  const all = () => Promise.all(subject.grants.map((grant) => side(1, each, () => work(subject, grant))));
  return perSecond(REQUESTS, await timed(all));
};

/** Ours: every refresh is kept in the documents, flushed, before it is answered. */
const openOurs = async (origin: string): Promise<Subject> => {
  const grants: Subject['grants'] = [];
  for (let place = 0; place < GRANTS; place += 1) {
    const { access_token: access, refresh_token: refresh } = await tokensFor(origin);
    grants.push({ access, refresh });
  }
  const authorization = basic(PILOT.clientId, PILOT.secret);
  return {
    api: new LightApi(origin, ''),
    token: '/oauth/token',
    introspection: '/oauth/introspect',
    authorization,
    grants,
  };
};

interface Said {
  readonly origin: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly tokens: Subject['grants'];
}

const openTheirs = ({ origin, client_id, client_secret, tokens }: Said): Subject => ({
  api: new LightApi(origin, ''),
  token: '/token',
  introspection: '/token/introspection',
  authorization: basic(client_id, client_secret),
  grants: tokens,
});

/** The token endpoint and introspection beside oidc-provider, which keeps everything in memory. */
export const tokens = (): Promise<void> =>
  withPackages(OIDC_PROVIDER, (packages) =>
    withFolder(async (folder) => {
      const server = await startServer(folder, {
        PASSWORD_COST: '10',
        LIMIT_AUTHORIZATIONS: '0',
        LIMIT_LOGINS: '0',
        LIMIT_FORM_POSTS: '0',
      });
      const peer = await startInstalled(packages, 'oidc-provider.js', [String(GRANTS)]);
      const subjects = [await openOurs(server.origin), openTheirs(JSON.parse(peer.said) as Said)];
      const figures = subjects.map(() => ({ refreshed: [] as number[], introspected: [] as number[] }));
      for (let round = -1; round < ROUNDS; round += 1) {
        for (const [place, subject] of subjects.entries()) {
          const [one, other] = [await rate(subject, refreshed), await rate(subject, introspected)];
          if (round < 0) continue; // to warm up
          figures[place]?.refreshed.push(one);
          figures[place]?.introspected.push(other);
        }
      }
      await server.stop();
      await peer.stop();
      const [ours, theirs] = figures;
      const row = (what: string, kind: 'refreshed' | 'introspected'): Row => {
        const [one, other] = [ours?.[kind] ?? [], theirs?.[kind] ?? []];
        return [what, `${spread(one)}/s`, `${spread(other)}/s`, `${ratioOf(one, other).toFixed(2)} ×`];
      };
      printTable(
        `Tokens beside oidc-provider, ${GRANTS} agents at once, ${ROUNDS} rounds by turns`,
        [
          row('refresh, rotated, a JWT signed with RS256 (there in memory, here flushed)', 'refreshed'),
          row('introspection (there of an opaque token, since it takes no JWT)', 'introspected'),
        ],
        ['ours', 'oidc-provider', 'ratio'],
      );
    }),
  );
