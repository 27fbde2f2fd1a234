import { accessSync, constants, existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readCatalogFile } from '#catalog';
import { type Config, masked } from '#config';
import { API } from '#http';
import { RandomIds } from '#kernel';
import { Smtp, testMail } from '#outbox';
import { openKeyRegistry } from '#oauth';
import { type Standing, standings } from '#read-models';
import { checkFolder, oauthSettings, type Ports, PROJECTIONS, VERSION } from '#runtime';
import { HALF_BEGUN, Heads, readTlogKeys, readWitnesses, TLOG_KEYS } from '#transparency';
import { count, duration } from '../audit/format.js';
import { withStoresToRead } from '../command-line.js';
import { askServer, originOf } from '../status.command.js';
import { type Finding, looked, note, ok, wrong } from './finding.js';
import { examineServers } from './servers.js';

const [MAJOR, MINOR] = [20, 19];
/** Bytes free on the disk of the data, below which an operator should act, and below which writes will soon be refused. */
const [FEW, TOO_FEW] = [1_000_000_000, 100_000_000];
/** Seconds behind the log from which a read model counts as behind: as long as readiness allows. */
const BEHIND = 30;
/** How long (ms) what is elsewhere may take to answer. */
const PATIENCE = 3_000;

/** Looks at everything that a service needs, and changes nothing. Secrets are named, never shown. `sendMail`: where a test mail goes. */
export const examine = async (config: Config, sendMail?: string): Promise<readonly Finding[]> => {
  const origin = originOf(config);
  const server = await askServer(origin);
  const places = config.servers
    ? await examineServers(config.servers)
    : await looked('data folder', () => folder(config));
  const canOpen = config.servers === null || places.every(({ state }) => state !== 'WRONG');
  const found = [
    program(),
    ...secrets(config),
    ...places,
    ...(canOpen ? await looked('stores', () => stores(config, server !== null)) : []),
    ...(await looked('catalogue', () => catalogue(config))),
    ...(await looked('witnesses', () => witnesses(config))),
    ...(await looked('mail', () => mail(config, sendMail))),
  ];
  const answers = server?.isReady
    ? ok('server', `ready at ${origin}${server.version === null ? '' : `, version ${server.version}`}`)
    : server
      ? wrong('server', `answers at ${origin} and is not ready: it lacks ${server.missing.join(', ')}`)
      : note('server', `none answers at ${origin}`);
  return [...found, answers, ...(server ? await address(config) : []), ...(await collector(config))];
};

const program = (): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const says = `version ${VERSION} on Node ${process.versions.node}`;
  if (major > MAJOR || (major === MAJOR && minor >= MINOR)) return ok('program', says);
  return wrong('program', `${says}: it needs ${MAJOR}.${MINOR} or later`);
};

const secrets = ({ production, keyEncryptionKeys, pilot, travellers }: Config): readonly Finding[] => [
  ok('configuration', production ? 'complete, for production' : 'complete; not for production (NODE_ENV)'),
  keyEncryptionKeys.length > 0
    ? ok('KEY_ENCRYPTION_KEY', keyEncryptionKeys.length > 1 ? 'set, and the one before it' : 'set')
    : note('KEY_ENCRYPTION_KEY', 'not set: the keys of the service lie in clear'),
  ...(production || travellers.length === 0
    ? []
    : [
        note(
          'logins',
          `${count(travellers.length, 'demo traveller')} and the client ${pilot.clientId}, for trying things`,
        ),
      ]),
];

const folder = async (config: Config): Promise<readonly Finding[]> => {
  const path = resolve(config.dataDir);
  const existing = nearest(path);
  accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK);
  const open: string[] = [];
  if (existing === path) checkFolder({ ...config, production: false }, (message) => open.push(message));
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  const says = `${(free / 1_000_000_000).toFixed(1)} GB free`;
  return [
    existing === path
      ? ok('data folder', `${path} is writable`)
      : note('data folder', `${path} is made by the first start`),
    ...open.map((message) => (config.production ? wrong : note)('data folder', message)),
    (free < TOO_FEW ? wrong : free < FEW ? note : ok)('disk', says),
  ];
};

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

const DATA = ['events.db', 'documents.db'] as const;

const stores = async (config: Config, isRunning: boolean): Promise<readonly Finding[]> => {
  const { dataDir, servers } = config;
  if (servers === null && !DATA.some((name) => existsSync(join(dataDir, name))))
    return [note('stores', 'none yet: the first start makes them')];
  return withStoresToRead(config, async (ports) => [
    ok(
      'stores',
      servers === null ? 'can be read' : `${masked(servers.eventStore.url)} and ${masked(servers.mongodb.url)} answer`,
    ),
    ...(await looked('signing keys', () => keys(ports, config))),
    ...(await looked('transparency log', () => sealed(ports))),
    ...(await looked('read models', () => readModels(ports, isRunning))),
  ]);
};

const keys = async (ports: Ports, config: Config): Promise<readonly Finding[]> => {
  const listed = await (await openKeyRegistry(ports, oauthSettings(config))).list();
  return [ok('signing keys', listed.length === 0 ? 'none yet' : `${count(listed.length, 'key')}, which open`)];
};

const sealed = async ({ documents, events }: Ports): Promise<readonly Finding[]> => {
  const heads = new Heads(documents);
  await heads.prepare();
  await documents.prepare(TLOG_KEYS);
  if ((await readTlogKeys(documents))?.isHalfBegun) return [wrong('transparency log', HALF_BEGUN)];
  const [head, end] = [await heads.read(), await events.head()];
  if (!head) return [note('transparency log', 'nothing is sealed yet')];
  if (!end || head.position > end.position)
    return [
      wrong('transparency log', 'the sealed head is ahead of the log (docs/operations.md, The transparency log)'),
    ];
  return [ok('transparency log', `${count(head.size, 'entry', 'entries')} sealed`)];
};

const readModels = async (
  { events, readModelStore, clock }: Ports,
  isRunning: boolean,
): Promise<readonly Finding[]> => {
  const found = await standings(events, readModelStore, PROJECTIONS, clock.now());
  const stopped = found.flatMap(({ projection, unread }) =>
    unread === null
      ? []
      : [
          wrong(
            'read models',
            `${projection} has stopped before ${unread.stream}@${unread.revision}: ${unread.message} ` +
              '(docs/operations.md, Events that cannot be read)',
          ),
        ],
  );
  const behind = found.filter(({ lag, unread }) => lag.seconds > BEHIND && unread === null);
  if (stopped.length > 0) return [...stopped, ...behind.map((one) => late(one, isRunning))];
  if (behind.length === 0) return [ok('read models', `all ${found.length} are up to date`)];
  return behind.map((one) => late(one, isRunning));
};

const late = ({ projection, lag }: Standing, isRunning: boolean): Finding => {
  const says = `${projection} is ${count(lag.distance, 'position')} and ${duration(lag.seconds)} behind the log`;
  return isRunning ? wrong('read models', says) : note('read models', `${says}: the next start brings it up`);
};

const catalogue = async ({ catalogFile }: Config): Promise<readonly Finding[]> => {
  const flights = await readCatalogFile(catalogFile ?? undefined);
  return [ok('catalogue', `${count(flights.length, 'flight')}${catalogFile === null ? '' : ` in ${catalogFile}`}`)];
};

const witnesses = async ({ tlogWitnesses }: Config): Promise<readonly Finding[]> => {
  if (tlogWitnesses === null) return [];
  const policy = await readWitnesses(tlogWitnesses);
  return [ok('witnesses', `${count(policy.witnesses.length, 'witness', 'witnesses')} in ${tlogWitnesses}`)];
};

const mail = async ({ mail: settings, addresses }: Config, to?: string): Promise<readonly Finding[]> => {
  if (!settings) {
    const without = 'no SMTP_URL: travellers find their notices on /conta alone';
    return [to === undefined ? note('mail', without) : wrong('mail', `${without}; no test mail can be sent`)];
  }
  const smtp = new Smtp(settings);
  await smtp.check();
  const taken = `${masked(settings.url)} answers`;
  if (to === undefined) return [ok('mail', taken)];
  await smtp.send(testMail(new RandomIds().next(), to, addresses.urls.site));
  return [ok('mail', `${taken}, and took a test mail to ${to}`)];
};

/** Whether the public address leads to this service, where one is configured. */
const address = async ({ addresses }: Config): Promise<readonly Finding[]> => {
  const { base } = addresses.urls;
  if (addresses.followLoopback) return [];
  const answered = await statusOf(`${base}/health`);
  if (answered === 200) return [ok('address', `${base} answers`)];
  return [
    wrong(
      'address',
      `${base} (BASE_URL, SITE_URL; /${API}) ${answered === null ? 'does not answer' : `answers ${answered}`}`,
    ),
  ];
};

const collector = async ({ telemetry: { traces } }: Config): Promise<readonly Finding[]> => {
  if (!traces) return [];
  const answered = await statusOf(traces.url);
  const says = `${masked(traces.url)} ${answered === null ? 'does not answer: traces are lost' : 'answers'}`;
  return [(answered === null ? wrong : ok)('traces', says)];
};

const statusOf = async (url: string): Promise<number | null> => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(PATIENCE) })).status;
  } catch {
    return null;
  }
};
