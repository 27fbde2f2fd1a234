import type { AuditedMetadata, Json } from '../audited-event.js';
import { testCrypto } from '../testing/index.js';
import { NEWEST } from '../version.js';
import { LogRules } from './log.js';

const AT = '2026-01-31T12:00:00.000Z';
const END = '2026-01-31T13:00:00.000Z';
const brl = { amount: 100, currency: 'BRL' };
const TRAVELLER = { holder: 'ana', clientId: null };

type Told = readonly [stream: string, type: string, data: Json, actor?: AuditedMetadata['actor']];

const pause: Told = ['pause-ana', 'AgentsPauseStarted', { pause: 1, startedAt: AT }];
const paused: Told = ['pause-ana', 'AgentsPaused', { pause: 1, pausedAt: AT }];
const resumed: Told = ['pause-ana', 'AgentsResumed', { pause: 1, resumedAt: AT }];
const party = { holder: 'ana', clientId: 'pilot' };
const terms = { ...party, mandateId: 'm1', scope: ['order:write', 'payment:execute'], limit: brl, minutes: 60 };
const opened: readonly Told[] = [
  ['delegation-ana.pilot', 'AgentAuthorized', { ...party, grantId: 'g', scopes: [], authorizedAt: AT }],
  ['delegation-ana.pilot', 'MandateOpened', { mandateId: 'm1', limit: brl, expiresAt: END, openedAt: AT }, party],
  ['mandate-m1', 'MandateCreated', { ...terms, startsAt: AT, expiresAt: END, grantedBy: 'agent' }, party],
];
const reserved: Told = [
  'mandate-m1',
  'MandateReserved',
  { orderId: 'o1', bookingId: 'b1', amount: brl, holdBefore: AT, reservedAt: AT },
  party,
];

const broken = (...told: readonly Told[]): readonly string[] => {
  const rules = new LogRules(testCrypto.sha256, NEWEST, (stream) => !/^(order|booking)-/.test(stream));
  const revisions = new Map<string, number>();
  return told.flatMap(([stream, type, data, actor = TRAVELLER]) => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const metadata = { eventId: '', occurredAt: AT, actor, schemaVersion: 1, hash: '' };
    return rules.next({ stream, revision, type, data, metadata }).map(({ rule }) => `${rule} ${stream}`);
  });
};

describe('what is reserved while a traveller has paused everything (rule 41)', () => {
  it('breaks the log, whatever the mandate says of itself', () => {
    expect(broken(...opened, pause, reserved)).toEqual([]);
    expect(broken(...opened, pause, paused, reserved)).toEqual(['while-paused mandate-m1']);
    expect(broken(...opened, pause, paused, resumed, reserved)).toEqual([]);
    expect(
      broken(...opened, ['pause-bia', 'AgentsPaused', paused[2], { holder: 'bia', clientId: null }], reserved),
    ).toEqual([]);
  });

  it('was paused by the traveller alone', () => {
    expect(broken(pause, ['pause-ana', 'AgentsPaused', paused[2], party])).toEqual(['actor pause-ana']);
  });
});
