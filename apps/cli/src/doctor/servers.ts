import { isOfThisMachine, masked, type Servers } from '#config';
import { lookAtMongoDb, type MongoLook } from '#documents';
import { type EventStoreLook, lookAtEventStoreDb } from '#event-store';
import { type Finding, looked, note, ok, wrong } from './finding.js';

/** How long (ms) each question to a server may take. */
const PATIENCE = 3_000;
/** Milliseconds of an answer from which purchases get slow, which wait for one after another. */
const SLOW = 20;
/** Milliseconds that clocks may differ: documents expire by the server's, and everything else by this machine's. */
const APART = 5_000;

/** What the servers of a distributed deployment allow this service, and how they answer. Nothing is written. */
export const examineServers = async ({ eventStore, mongodb }: Servers): Promise<readonly Finding[]> => [
  ...(await looked('EventStoreDB', async () => {
    const namespace = eventStore.namespace ?? '';
    return ofEventStoreDb(await lookAtEventStoreDb({ url: eventStore.url, namespace }, PATIENCE));
  })),
  ...encryption('EventStoreDB', eventStore.url, !/[?&]tls=false/i.test(eventStore.url)),
  ...(await looked('MongoDB', async () => ofMongoDb(await lookAtMongoDb(mongodb, PATIENCE)))),
  ...encryption('MongoDB', mongodb.url, /^mongodb\+srv:|[?&](?:tls|ssl)=true/i.test(mongodb.url)),
];

export const ofEventStoreDb = ({ milliseconds, ...may }: EventStoreLook): readonly Finding[] => {
  const what = 'EventStoreDB';
  if (!may.mayRead && !may.mayReadAll && !may.mayAppend)
    return [wrong(what, 'it refuses the login of EVENTSTORE_URL, or allows it nothing')];
  const missing = [
    ...(may.mayRead ? [] : ['read its streams']),
    ...(may.mayReadAll ? [] : ['read $all (the role $admins, or $r of $all in $settings)']),
    ...(may.mayAppend ? [] : ['append to its streams']),
  ];
  return missing.length > 0
    ? [wrong(what, `the login of EVENTSTORE_URL may not ${missing.join(', nor ')}`)]
    : [speed(what, milliseconds, 'reads and appends are allowed')];
};

export const ofMongoDb = ({ milliseconds, clockAhead, missing, unconfirmed }: MongoLook): readonly Finding[] => {
  const what = 'MongoDB';
  const wrongs = [
    ...(missing === null || missing.length === 0
      ? []
      : [`the login of MONGODB_URL may not ${missing.join(', ')}: give it the role readWrite`]),
    ...(unconfirmed === null ? [] : [`no majority confirms a write: ${unconfirmed}`]),
    ...(Math.abs(clockAhead) < APART
      ? []
      : [
          `its clock is ${Math.abs(clockAhead / 1_000)} s ${clockAhead > 0 ? 'ahead' : 'behind'}: let both follow one (NTP)`,
        ]),
  ];
  if (wrongs.length > 0) return wrongs.map((says) => wrong(what, says));
  const rights = missing === null ? 'it does not say what is allowed' : 'all that is needed is allowed';
  return [speed(what, milliseconds, `${rights}, a majority confirms, clocks agree`)];
};

const speed = (what: string, milliseconds: number, rest: string): Finding => {
  const says = `answers in ${milliseconds.toFixed(1)} ms; ${rest}`;
  return milliseconds < SLOW
    ? ok(what, says)
    : note(what, `${says}; a purchase waits for many of them one after another`);
};

/** On loopback nobody else listens. */
export const encryption = (what: string, url: string, isEncrypted: boolean): readonly Finding[] => {
  const hosts = url.replace(/^[^/]*\/\/(?:[^/]*@)?/, '').split(/[/?]/)[0] ?? '';
  const isElsewhere = hosts.split(',').some((host) => !isOfThisMachine(`http://${host}`));
  if (isEncrypted || !isElsewhere) return [];
  return [note(what, `${masked(url)} is not encrypted: whoever listens in between reads logins and travellers' data`)];
};
