import { guards, type Mutation } from '../mutation.js';

const DECIDER = 'libs/mandate/src/delegation/delegation.decider.ts';
const ENDING = 'libs/checkout/src/recovery/end-mandate.ts';
const CHOICE = 'libs/order/src/place-order/choose-mandate.ts';
const REQUESTS = 'libs/oauth/src/authorize/authorization-requests.ts';
const capping = 'test/scenarios/capping.spec.ts';
const revoking = 'test/scenarios/revoking.spec.ts';
const choice = 'libs/order/src/place-order/choose-mandate.spec.ts';
const delegation = 'libs/mandate/src/delegation/delegation.decider.spec.ts';
const anyDelegation = 'libs/mandate/src/delegation/delegation.decider.properties.spec.ts';
const interrupted = 'test/scenarios/interrupted-decisions.spec.ts';
const asked = 'libs/mandate/src/asked-mandates.spec.ts';

/** The guards of what a traveller lets an agent do: rules 19, 20, 28, 30 and 31. */
export const DELEGATION_GUARDS: readonly Mutation[] = [
  ...guards(19, DECIDER, delegation, {
    'the cap check': [
      `  const refused = capRefusal({ ...delegation, openMandates }, limit);
  if (refused) throw refused;`,
      '',
    ],
    'the bound of 100': [
      'if (atMost > 0 && ends.length >= atMost) {',
      'if (atMost > 0 && ends.length >= 99 * atMost) {',
      'no life opens a hundred mandates',
    ],
    'the cap in the consent’s own append': ['...setCap(command, delegation),\n    ...mode,', '...mode,'],
  }),
  ...guards(19, 'libs/mandate/src/delegation/delegation.state.ts', anyDelegation, {
    'what a closed mandate consumed': [
      '{ ...delegation.spent, [currency]: (delegation.spent[currency] ?? 0) + cents };',
      '{ ...delegation.spent, [currency]: (delegation.spent[currency] ?? 0) + cents * 0 };',
    ],
  }),
  ...guards(19, ENDING, revoking, {
    'closing in the delegation': [
      'return { mandate, closedAt: await close(checkouts, ending, mandate, context) };',
      'return { mandate, closedAt: null };',
    ],
    '`MandateAbandoned`': [
      "await aggregates.handle(mandates, mandateId, { type: 'Abandon', mandateId }, context);",
      '',
    ],
  }),
  ...guards(20, CHOICE, choice, {
    'the refusal of several': ['if (enough.length < 2) continue;', 'if (enough.length < 99) continue;'],
    'the status': [
      "  statusOf(mandate, now) === 'valid' &&",
      '',
      'the choice authorizes nothing: a mandate that is over refuses the charge itself',
    ],
    'the list': ['open.length > 1 ? await listed(open) : ', '', 'it costs an order time, and changes no choice'],
  }),
  ...guards(28, 'libs/mandate/src/delegation/set-terms.ts', capping, {
    'ending the mandates in the setting': ['await endMandates(this.checkouts, agent, context);', ''],
  }),
  ...guards(28, 'libs/mandate/src/open-mandates.projection.ts', capping, {
    'listing the ended ones as due': [
      'return { ids: event.data.ending, becomes: dueAt(event.data.setAt, { isEnding: true }) };',
      'return null;',
      'a mandate of a life ends within the hour, and is taken up then',
    ],
  }),
  ...guards(28, DECIDER, anyDelegation, {
    'asking the cap again on closing': [
      "return [{ type: 'MandateClosed', data }, ...setCap({ cap: after.cap, now }, after)];",
      "return [{ type: 'MandateClosed', data }];",
    ],
  }),
  ...guards(28, 'libs/mandate/src/create-mandate/create-mandate.ts', capping, {
    'the answer to a late creation': [
      'throw error instanceof TooLate ? await this.whyGivenUp(mandateId, party, terms.limit) : error;',
      'throw error;',
      'nothing was written: it is the reason that the agent is told',
    ],
  }),
  ...guards(30, REQUESTS, interrupted, {
    'the first approval stays': [
      '(known && !known.approval ? { ...known, approval } : null)',
      '(known ? { ...known, approval } : null)',
      'a grant is a document of its own, and no event: a life’s books do not have it',
    ],
  }),
  ...guards(30, 'libs/oauth/src/authorize/consent-decision.ts', interrupted, {
    'who deletes it has its code': [
      'if (!(await this.requests.finish(requestId))) {',
      "await this.requests.finish(requestId);\n    if (requestId === '') {",
      'nobody in a life clicks twice at once',
    ],
  }),
  ...guards(30, 'libs/oauth/src/authorize/authorize.controller.ts', 'test/e2e/consent-form.spec.ts', {
    'what the button said': [
      'if (!(await this.pages.isAsShown(to.id, traveller.holder, fields)))',
      "if (to.id === '')",
      'a life has no pages',
    ],
  }),
  ...guards(31, DECIDER, delegation, {
    'who has to ask, in the delegation': ['if (mustAsk(delegation) && !isDecided) return [];', ''],
  }),
  ...guards(31, 'libs/mandate/src/mandate.decider.ts', asked, {
    'only what is approved is created': [
      "const isApproved = mandate.kind === 'none' || (mandate.pending?.approved && terms.grantedBy === 'traveller');",
      'const isApproved = true;',
      'it takes a process that stands still between opening and creating, while the agent is made to ask: not once in a thousand lives',
    ],
  }),
  ...guards(31, 'libs/mandate/src/traveller-decisions.rule.ts', asked, {
    'one approval': [
      'if (!isInForce(mandate, holder, now) || !mandate.pending || mandate.pending.approved) return [];',
      'if (!isInForce(mandate, holder, now) || !mandate.pending) return [];',
      'it takes two answers to one request at the same moment: not once in a thousand lives',
    ],
  }),
  ...guards(31, 'libs/mandate/src/pending-mandates.ts', 'test/scenarios/pending-mandates.spec.ts', {
    'the bounds of what waits': ['if (waiting.length < limit) return null;', 'if (limit > 0) return null;'],
  }),
];
