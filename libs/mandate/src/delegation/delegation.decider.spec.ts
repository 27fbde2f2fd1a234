import type { DelegationEvent } from '#events';
import { fold, type Money, money, plus } from '#kernel';
import { NOW, scenarios } from '#testing';
import { delegationDecider, OPEN_MANDATES } from './delegation.decider.js';
import { capOf, usedOf } from './spending-cap.rule.js';

const given = scenarios(delegationDecider);
const agent = { holder: 'ana', clientId: 'pilot', grantId: 'g1', scopes: ['mandate:create'] as const };
const reais = (amount: number): Money => money(amount * 100, 'BRL');
const expiresAt = plus(NOW, 3_600_000);

const authorized: DelegationEvent = { type: 'AgentAuthorized', data: { ...agent, authorizedAt: NOW } };
type Amount = number | Money;
/** Numbers are reais. */
const amountOf = (amount: Amount): Money => (typeof amount === 'number' ? reais(amount) : amount);
const moneyOf = (cap: Amount | null): Money | null => (cap === null ? null : amountOf(cap));
const capped = (cap: Amount | null, ending: readonly string[] = []): DelegationEvent => ({
  type: 'SpendingCapSet',
  data: { cap: moneyOf(cap), ending, setAt: NOW },
});
const asks = (asksFirst = true): DelegationEvent => ({ type: 'ApprovalModeSet', data: { asksFirst, setAt: NOW } });
const opened = (mandateId: string, limit: Amount, ends = expiresAt): DelegationEvent => ({
  type: 'MandateOpened',
  data: { mandateId, limit: amountOf(limit), expiresAt: ends, openedAt: NOW },
});
const closed = (mandateId: string, consumed: Amount): DelegationEvent => ({
  type: 'MandateClosed',
  data: { mandateId, consumed: amountOf(consumed), closedAt: NOW },
});
const authorize = (cap?: Amount | null) =>
  ({ type: 'AuthorizeAgent', ...agent, ...(cap !== undefined && { cap: moneyOf(cap) }) }) as const;
const open = (mandateId: string, limit: Amount) =>
  ({ type: 'OpenMandate', mandateId, limit: amountOf(limit), expiresAt }) as const;
const decided = (mandateId: string, limit: number) => ({ ...open(mandateId, limit), isDecided: true });
const close = (mandateId: string, consumed: Amount | null) =>
  ({ type: 'CloseMandate', mandateId, consumed: moneyOf(consumed) }) as const;
/** What a cap, of which so much is used, leaves. */
const usage = (cap: number, used: number, available: number) => ({
  cap: reais(cap),
  used: reais(used),
  available: reais(available),
});

describe('a delegation', () => {
  it('closes a mandate that was never created with nothing in its own currency', () => {
    const dollars = money(100, 'USD');
    given(authorized, opened('m1', dollars))
      .when(close('m1', null))
      .then(closed('m1', money(0, 'USD')));
  });

  it('records each consent of the traveller', () => given(authorized).when(authorize()).then(authorized));

  it('opens what a consent grants in the same append, under its cap, and writes nothing where one has no room', () => {
    const one = (mandateId: string, amount: number) => ({ mandateId, limit: reais(amount), expiresAt });
    const consent = { ...authorize(1000), asksFirst: true, opening: [one('m1', 600), one('m2', 400)] };
    given().when(consent).then(authorized, capped(1000), asks(), opened('m1', 600), opened('m2', 400));
    given(authorized, capped(1000), asks(), opened('m1', 600), opened('m2', 400))
      .when(consent) // again, after a crash
      .then(authorized);
    given(authorized, opened('m0', 1), asks())
      .when({ ...consent, asksFirst: false })
      .refuses('mandate_cap_exceeded', usage(1000, 601, 399));
    given()
      .when({ ...consent, atMost: 1 })
      .refuses('rate_limited', { limit: 'open-mandates', endsAt: expiresAt, openMandates: 1 });
  });

  it('is authorized by a consent from before for as long as it still is authorized, and no longer', () => {
    const asBefore = { ...authorize(), isRemembered: true };
    given(authorized).when(asBefore).then(authorized);
    given().when(asBefore).then();
    given(authorized, { type: 'AgentRevoked', data: { openMandates: [], revokedAt: NOW } })
      .when(asBefore)
      .then();
  });

  it('is let in without a consent where its traveller does not know it, and stays as it stands otherwise', () => {
    const first = { ...authorize(), isFirst: true };
    const revoked = { type: 'AgentRevoked', data: { openMandates: [], revokedAt: NOW } } as const;
    given().when(first).then(authorized);
    given(authorized).when(first).then();
    given(authorized, revoked).when(first).then();
  });

  it('opens a mandate for an authorized agent, once', () => {
    given(authorized).when(open('m1', 500)).then(opened('m1', 500));
    given(authorized, opened('m1', 500)).when(open('m1', 500)).then();
  });

  it('opens no mandate again that was closed: what it spent is counted once, and no more (rule 19)', () => {
    const before = [authorized, capped(1000), opened('m1', 500), closed('m1', 300)] as const;
    given(before).when(open('m1', 500)).then();
    given(before).when(decided('m1', 500)).then();
    given(before)
      .when(open('m2', 701))
      .refuses('mandate_cap_exceeded', usage(1000, 300, 700));
  });

  it('opens no mandate whose end is past', () => {
    given(authorized)
      .when({ ...open('m1', 500), expiresAt: NOW })
      .refuses('service_unavailable');
  });

  it('remembers a closed mandate until its end, or for an hour', () => {
    const late = plus(NOW, 2 * 3_600_000);
    const state = [
      opened('m1', 1, plus(NOW, 60_000)),
      closed('m1', 0),
      opened('m2', 1, plus(late, 60_000)),
      closed('m2', 0),
    ].reduce(delegationDecider.evolve, delegationDecider.evolve({ status: 'unknown' }, authorized));
    expect(state).toMatchObject({
      closed: [
        { mandateId: 'm1', until: plus(NOW, 60_000) },
        { mandateId: 'm2', until: plus(NOW, 3_600_000) },
      ],
    });
    const later: DelegationEvent = {
      type: 'MandateClosed',
      data: { mandateId: 'm3', consumed: reais(0), closedAt: late },
    };
    const after = [opened('m3', 1, plus(late, 1)), later].reduce(delegationDecider.evolve, state);
    expect(after).toMatchObject({ closed: [{ mandateId: 'm3', until: plus(late, 1) }] });
  });

  it('has the agent ask from when its traveller says so, in a consent or by itself, until they say otherwise', () => {
    const set = (asksFirst: boolean) => ({ type: 'SetApprovalMode', asksFirst }) as const;
    const consent = (asksFirst: boolean) => ({ ...authorize(), asksFirst });
    given().when(consent(true)).then(authorized, asks());
    given().when(consent(false)).then(authorized);
    given(authorized, asks()).when(consent(true)).then(authorized);
    given(authorized, asks()).when(authorize()).then(authorized);
    given(authorized).when(set(true)).then(asks());
    given(authorized, asks()).when(set(true)).then();
    given(authorized, asks()).when(set(false)).then(asks(false));
    given(authorized).when(set(false)).then();
    given().when(set(true)).then();
  });

  it('has an agent ask that a consent says nothing of, where it is new or was revoked, if it is to', () => {
    const revoked: DelegationEvent = { type: 'AgentRevoked', data: { openMandates: [], revokedAt: NOW } };
    const unless = (asksFirstUnless: 'known' | 'authorized') => ({ ...authorize(), asksFirstUnless });
    for (const either of ['known', 'authorized'] as const) {
      given().when(unless(either)).then(authorized, asks());
      given(authorized).when(unless(either)).then(authorized);
    }
    given(authorized, revoked).when(unless('known')).then(authorized);
    given(authorized, revoked).when(unless('authorized')).then(authorized, asks());
    given()
      .when({ ...unless('authorized'), asksFirst: false })
      .then(authorized);
  });

  it.each(['dcr-1', 'cimd-x'])('opens nothing by itself for %s, which nobody registered, without a cap', (clientId) => {
    const stranger: DelegationEvent = { type: 'AgentAuthorized', data: { ...agent, clientId, authorizedAt: NOW } };
    const one = open('m1', 500);
    const [isOpened] = [opened('m1', 500)];
    given(stranger).when(one).then();
    given(stranger)
      .when({ ...one, isDecided: true })
      .then(isOpened);
    given(stranger, capped(500)).when(one).then(isOpened);
    given(stranger, capped(500), asks()).when(one).then();
    given(stranger, capped(500), capped(null)).when(one).then();
  });

  it('knows the hosts to which its codes went, the newest first, until it is revoked', () => {
    const to = (redirectHost: string): DelegationEvent => ({
      type: 'AgentAuthorized',
      data: { ...agent, authorizedAt: NOW, redirectHost },
    });
    given()
      .when({ ...authorize(), redirectHost: 'um.example' })
      .then(to('um.example'));
    const hostsAfter = (...events: readonly DelegationEvent[]) =>
      (fold(delegationDecider, events) as { readonly redirectHosts?: readonly string[] }).redirectHosts;
    const two = [to('um.example'), to('outro.example'), authorized];
    expect(hostsAfter(...two)).toEqual(['outro.example', 'um.example']);
    expect(hostsAfter(...two, to('um.example'))).toEqual(['um.example', 'outro.example']);
    const revoked: DelegationEvent = { type: 'AgentRevoked', data: { openMandates: [], revokedAt: NOW } };
    expect(hostsAfter(...two, revoked)).toEqual(['outro.example', 'um.example']);
    expect(hostsAfter(...two, revoked, to('novo.example'))).toEqual(['novo.example']);
    const many = Array.from({ length: 12 }, (_, place) => to(`${place}.example`));
    expect(hostsAfter(...many)).toEqual(Array.from({ length: 10 }, (_, place) => `${11 - place}.example`));
    expect(hostsAfter(authorized)).toBeUndefined();
  });

  it('opens nothing that an agent has to ask for, but what its traveller has decided (rule 31)', () => {
    given(authorized, asks()).when(open('m1', 500)).then();
    given(authorized, asks()).when(decided('m1', 500)).then(opened('m1', 500));
  });

  it('opens a mandate on the terms its traveller decided, whatever an agent had opened it with, if the cap admits them', () => {
    const known = [authorized, capped(800), opened('m1', 500)] as const;
    given(known).when(open('m1', 600)).then();
    given(known).when(decided('m1', 800)).then(opened('m1', 800));
    given(known)
      .when(decided('m1', 801))
      .refuses('mandate_cap_exceeded', usage(800, 0, 800));
    given(known).when(decided('m1', 500)).then();
    const later = plus(expiresAt, 1);
    given(known)
      .when({ ...open('m1', 500), isDecided: true, expiresAt: later })
      .then(opened('m1', 500, later));
    given(known)
      .when({ ...open('m1', 500), isDecided: true, isFirst: true, expiresAt: later })
      .then();
  });

  it('opens nothing for an agent nobody authorized', () => given().when(open('m1', 500)).refuses('invalid_token'));

  it('counts of a narrowed mandate only what it may still spend, once its own stream has said so', () => {
    const narrow = { type: 'NarrowMandate', mandateId: 'm1', limit: reais(300), expiresAt } as const;
    const narrowed: DelegationEvent = {
      type: 'OpenMandateNarrowed',
      data: { mandateId: 'm1', limit: reais(300), expiresAt, narrowedAt: NOW },
    };
    const before = [authorized, capped(1000), opened('m1', 500), opened('m2', 500)];
    given(before).when(narrow).then(narrowed);
    given(before, narrowed).when(narrow).then();
    for (const nothing of [[], [authorized]]) given(nothing).when(narrow).then();
    const sooner = { mandateId: 'm1', limit: reais(500), expiresAt: plus(expiresAt, -1) };
    given(before)
      .when({ type: 'NarrowMandate', ...sooner })
      .then({ type: 'OpenMandateNarrowed', data: { ...sooner, narrowedAt: NOW } });
    given(before, narrowed)
      .when(open('m3', 201))
      .refuses('mandate_cap_exceeded', usage(1000, 800, 200));
    given(before, narrowed).when(open('m3', 200)).then(opened('m3', 200));
  });

  it('closes an open mandate, once, and knows nothing of a closed one', () => {
    const [isOpen, isClosed] = [opened('m1', 500), closed('m1', 0)];
    given(authorized, isOpen).when(close('m1', 0)).then(isClosed);
    given(authorized, isOpen, isClosed).when(close('m1', 0)).then();
    for (const nothing of [[], [authorized]]) given(nothing).when(close('m1', 0)).then();
  });

  it('opens nothing once the agent is revoked, until a new consent, and names what is to end with it', () => {
    const isOpen = opened('m1', 500);
    const revoked: DelegationEvent = { type: 'AgentRevoked', data: { openMandates: ['m1'], revokedAt: NOW } };
    const both: DelegationEvent = { type: 'AgentRevoked', data: { openMandates: ['m1', 'm2'], revokedAt: NOW } };
    given(authorized, isOpen).when({ type: 'RevokeAgent' }).then(revoked);
    given(authorized, isOpen, revoked).when({ type: 'RevokeAgent' }).then();
    given().when({ type: 'RevokeAgent' }).then();
    given(authorized, isOpen, revoked).when(open('m2', 1)).refuses('invalid_token');
    given(authorized, isOpen, revoked, authorized).when(open('m2', 1)).then(opened('m2', 1));
    const ending = (...events: DelegationEvent[]) => {
      const delegation = fold(delegationDecider, [authorized, isOpen, revoked, ...events]);
      return delegation.status === 'unknown' ? null : delegation.ending;
    };
    expect(ending()).toEqual(['m1']);
    expect(ending(authorized)).toEqual(['m1']);
    expect(ending(closed('m1', 0))).toEqual([]);
    expect(ending(opened('m2', 1), both, closed('m1', 0))).toEqual(['m2']);
  });

  it('takes a cap by itself, once', () => {
    given(authorized)
      .when({ type: 'SetSpendingCap', cap: reais(10) })
      .then(capped(10));
    given(authorized, capped(10))
      .when({ type: 'SetSpendingCap', cap: reais(10) })
      .then();
    given()
      .when({ type: 'SetSpendingCap', cap: reais(10) })
      .then();
  });

  it('keeps its open mandates when the traveller consents again', () =>
    given(authorized, opened('m1', 500), authorized).when(open('m1', 500)).then());
});

describe('a spending cap (rule 19)', () => {
  it('is set by the same append that authorizes the agent', () =>
    given().when(authorize(1000)).then(authorized, capped(1000)));

  it('is changed, or removed, by a later consent that says so', () => {
    given(authorized, capped(1000)).when(authorize(2000)).then(authorized, capped(2000));
    given(authorized, capped(1000)).when(authorize(null)).then(authorized, capped(null));
  });

  it('stays as it was where a consent does not speak of it, or says the same', () => {
    given(authorized, capped(1000)).when(authorize()).then(authorized);
    given(authorized, capped(1000)).when(authorize(1000)).then(authorized);
    for (const without of [[], [authorized]]) given(without).when(authorize(null)).then(authorized);
  });

  it('admits mandates up to its last cent, and not one cent more', () => {
    const history = [authorized, capped(1000), opened('m1', 600)];
    given(history).when(open('m2', 400)).then(opened('m2', 400));
    given(history)
      .when(open('m2', money(400_01, 'BRL')))
      .refuses('mandate_cap_exceeded', usage(1000, 600, 400));
  });

  it('counts what a closed mandate consumed, and gives the rest back', () => {
    const history = [authorized, capped(1000), opened('m1', 900), closed('m1', 300)];
    given(history).when(open('m2', 700)).then(opened('m2', 700));
    given(history)
      .when(open('m2', money(700_01, 'BRL')))
      .refuses('mandate_cap_exceeded', usage(1000, 300, 700));
  });

  it('starts with what is open when the first one is set, and without what was spent and closed before', () => {
    const before = [authorized, opened('m1', 500), closed('m1', 500), opened('m2', 200)];
    given(before, capped(1000))
      .when(open('m3', 801))
      .refuses('mandate_cap_exceeded', usage(1000, 200, 800));
    // All that the open one consumes counts, whenever it did.
    given(before, capped(1000), closed('m2', 150))
      .when(open('m3', 851))
      .refuses('mandate_cap_exceeded', usage(1000, 150, 850));
  });

  it('never gives back what was spent: not when it is changed, nor removed and set again', () => {
    const spent = [opened('m1', 700), closed('m1', 700)];
    given(authorized, capped(1000), spent, capped(800))
      .when(open('m2', 101))
      .refuses('mandate_cap_exceeded', usage(800, 700, 100));
    given(authorized, capped(1000), capped(null), spent, capped(1000))
      .when(open('m2', 301))
      .refuses('mandate_cap_exceeded', usage(1000, 700, 300));
  });

  it('leaves nothing where it is lowered below what is used', () =>
    given(authorized, capped(1000), opened('m1', 700), capped(500))
      .when(open('m2', money(1, 'BRL')))
      .refuses('mandate_cap_exceeded', usage(500, 700, 0)));

  it('admits no other currency, and does not count one either', () => {
    const dollars = opened('m1', money(500_00, 'USD'));
    given(authorized, capped(1000))
      .when(open('m2', money(1, 'USD')))
      .refuses('mandate_cap_exceeded', usage(1000, 0, 1000));
    given(authorized, dollars, capped(1000), closed('m1', money(500_00, 'USD')))
      .when(open('m2', 1000))
      .then(opened('m2', 1000));
  });

  it('admits everything again once it is removed', () =>
    given(authorized, capped(1), capped(null))
      .when(open('m1', money(10 ** 12, 'USD')))
      .then(opened('m1', money(10 ** 12, 'USD'))));

  it('of nothing admits nothing', () =>
    given(authorized, capped(0))
      .when(open('m1', money(1, 'BRL')))
      .refuses('mandate_cap_exceeded', usage(0, 0, 0)));

  it('is shown with what is used and what is available, never less than nothing', () => {
    const use = (...events: DelegationEvent[]) => capOf(fold(delegationDecider, events));
    expect(use()).toBeNull();
    expect(use(authorized, opened('m1', 700))).toBeNull();
    expect(use(authorized, opened('m1', 700), capped(1000))).toEqual({
      limit: reais(1000),
      used: reais(700),
      available: reais(300),
    });
    expect(use(authorized, opened('m1', 700), capped(500))).toEqual({
      limit: reais(500),
      used: reais(700),
      available: reais(0),
    });
    expect(use(authorized, capped(500), capped(null))).toBeNull();
  });

  it('tells what would count before there is one', () => {
    const history = [authorized, opened('m1', 500), closed('m1', 500), opened('m2', 200)];
    expect(usedOf(fold(delegationDecider, history), 'BRL')).toEqual(reais(200));
    expect(usedOf(fold(delegationDecider, []), 'BRL')).toEqual(reais(0));
  });
});

describe('a cap set beside open mandates (rule 28)', () => {
  const setCap = (cap: Amount | null) => ({ type: 'SetSpendingCap', cap: moneyOf(cap) }) as const;
  const history = [authorized, opened('m1', 60), opened('m2', 1000), opened('m3', 40)];

  it('keeps them, oldest first, as far as they fit, to the last cent, and ends the others', () => {
    given(history).when(setCap(1100)).then(capped(1100));
    given(history)
      .when(setCap(money(1099_99, 'BRL')))
      .then(capped(money(1099_99, 'BRL'), ['m3']));
    given(history)
      .when(setCap(100))
      .then(capped(100, ['m2']));
    given(history)
      .when(setCap(money(99_99, 'BRL')))
      .then(capped(money(99_99, 'BRL'), ['m2', 'm3']));
    given(history)
      .when(setCap(0))
      .then(capped(0, ['m1', 'm2', 'm3']));
  });

  it('is the same on the consent page, in the append of the authorization', () =>
    given(history)
      .when(authorize(100))
      .then(authorized, capped(100, ['m2'])));

  it('leaves them room only beside what was spent', () => {
    const spent = [opened('m0', 30), closed('m0', 30)];
    given(authorized, capped(5000), spent, history.slice(1))
      .when(setCap(129))
      .then(capped(129, ['m2', 'm3']));
  });

  it('ends every one of another currency', () =>
    given(authorized, opened('dollars', money(1, 'USD')), opened('m1', 1))
      .when(setCap(100))
      .then(capped(100, ['dollars'])));

  it('ends none where it is taken away, or set again and all of them fit', () => {
    given(authorized, capped(100), opened('m1', 100)).when(setCap(null)).then(capped(null));
    given(authorized, capped(100), opened('m1', 100)).when(setCap(100)).then();
  });

  it('set before caps ended anything is made good when it is set again', () =>
    given(authorized, opened('m1', 500), capped(100))
      .when(setCap(100))
      .then(capped(100, ['m1'])));

  it('names none twice, and none that ends with its agent', () => {
    given(history, capped(100, ['m2']))
      .when(setCap(99))
      .then(capped(99, ['m3']));
    given(history, { type: 'AgentRevoked', data: { openMandates: ['m1', 'm2', 'm3'], revokedAt: NOW } })
      .when(setCap(1))
      .then(capped(1));
  });

  it('ends also what no longer fits once it is known what the ended ones had spent', () => {
    const lowered = [...history, capped(100, ['m2'])];
    given(lowered).when(close('m2', 0)).then(closed('m2', 0));
    given(lowered)
      .when(close('m2', money(1, 'BRL')))
      .then(closed('m2', money(1, 'BRL')), capped(100, ['m3']));
    given(lowered)
      .when(close('m2', 999))
      .then(closed('m2', 999), capped(100, ['m1', 'm3']));
  });

  it('admits nothing new before those are closed', () =>
    given(authorized, opened('m1', 1000), capped(100, ['m1']))
      .when(open('m2', 1))
      .refuses('mandate_cap_exceeded', usage(100, 1000, 0)));
});

describe('an agent (rule 19)', () => {
  /** The one opened first is not the one that ends first. */
  const full = Array.from({ length: OPEN_MANDATES }, (_, n) =>
    opened(`m${n}`, 1, n === 0 ? plus(expiresAt, 60_000) : expiresAt),
  );

  it('has at most 100 mandates open, and learns when the first of them ends', () => {
    expect(OPEN_MANDATES).toBe(100);
    given(authorized, full)
      .when(open('one more', 1), plus(NOW, 600_500))
      .refuses('rate_limited', { openMandates: 100 });
    const state = fold(delegationDecider, [authorized, ...full]);
    const refused = (now: string) => () => delegationDecider.decide({ ...open('one more', 1), now }, state);
    expect(refused(plus(NOW, 600_500))).toThrow(expect.objectContaining({ retryAfter: 3_000 }));
    expect(refused(plus(expiresAt, 60_000))).toThrow(expect.objectContaining({ retryAfter: 1 }));
  });

  it('has as many as the operator says, or any number', () => {
    const one = [authorized, opened('m0', 1)];
    given(one)
      .when({ ...open('m1', 1), atMost: 1 })
      .refuses('rate_limited');
    given(full, authorized)
      .when({ ...open('one more', 1), atMost: 0 })
      .then(opened('one more', 1));
  });

  it('has its slot back as soon as one is closed', () =>
    given(authorized, full, closed('m7', 0)).when(open('one more', 1)).then(opened('one more', 1)));

  it('may repeat the opening of one of them', () => given(authorized, full).when(open('m99', 1)).then());
});
