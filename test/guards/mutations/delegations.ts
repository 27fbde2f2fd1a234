import type { Mutation } from '../mutation.js';

const DECIDER = 'libs/mandate/src/delegation/delegation.decider.ts';
const ENDING = 'libs/order/src/recovery/end-mandate.ts';
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
  {
    rule: 19,
    name: 'the cap check',
    file: DECIDER,
    from: `  const refused = capRefusal({ ...delegation, openMandates }, limit);
  if (refused) throw refused;`,
    to: '',
    spec: delegation,
  },
  {
    rule: 19,
    name: 'what a closed mandate consumed',
    file: DECIDER,
    from: '{ ...delegation.spent, [currency]: (delegation.spent[currency] ?? 0) + amount };',
    to: '{ ...delegation.spent, [currency]: (delegation.spent[currency] ?? 0) + amount * 0 };',
    spec: anyDelegation,
  },
  {
    rule: 19,
    name: 'the bound of 100',
    file: DECIDER,
    from: 'if (atMost > 0 && ends.length >= atMost) {',
    to: 'if (atMost > 0 && ends.length >= 99 * atMost) {',
    spec: delegation,
    beyond: 'no life opens a hundred mandates',
  },
  {
    rule: 19,
    name: 'the cap in the consent’s own append',
    file: DECIDER,
    from: '...setCap(command, delegation),\n    ...mode,',
    to: '...mode,',
    spec: delegation,
  },
  {
    rule: 19,
    name: 'closing in the delegation',
    file: ENDING,
    from: 'return { mandate, closedAt: await close(dependencies, ending, mandate, context) };',
    to: 'return { mandate, closedAt: null };',
    spec: revoking,
  },
  {
    rule: 19,
    name: '`MandateAbandoned`',
    file: ENDING,
    from: "await aggregates.handle(mandates, mandateId, { type: 'Abandon', mandateId }, context);",
    to: '',
    spec: revoking,
  },
  {
    rule: 20,
    name: 'the refusal of several',
    file: CHOICE,
    from: 'if (enough.length < 2) continue;',
    to: 'if (enough.length < 99) continue;',
    spec: choice,
  },
  {
    rule: 20,
    name: 'the status',
    file: CHOICE,
    from: "  statusOf(mandate, now) === 'valid' &&",
    to: '',
    spec: choice,
    beyond: 'the choice authorizes nothing: a mandate that is over refuses the charge itself',
  },
  {
    rule: 20,
    name: 'the list',
    file: CHOICE,
    from: 'open.length > 1 ? await listed(open) : ',
    to: '',
    spec: choice,
    beyond: 'it costs an order time, and changes no choice',
  },
  {
    rule: 28,
    name: 'ending the mandates in the setting',
    file: 'libs/order/src/recovery/end-mandates.ts',
    from: 'const closedAt = await endMandates(this.checkouts, agent, context);',
    to: 'const closedAt = null;',
    spec: capping,
  },
  {
    rule: 28,
    name: 'listing the ended ones as due',
    file: 'libs/mandate/src/open-mandates.projection.ts',
    from: 'return { ids: event.data.ending, becomes: dueAt(event.data.setAt, { isEnding: true }) };',
    to: 'return null;',
    spec: capping,
    beyond: 'a mandate of a life ends within the hour, and is taken up then',
  },
  {
    rule: 28,
    name: 'asking the cap again on closing',
    file: DECIDER,
    from: "return [{ type: 'MandateClosed', data }, ...setCap({ cap: after.cap, now }, after)];",
    to: "return [{ type: 'MandateClosed', data }];",
    spec: anyDelegation,
  },
  {
    rule: 28,
    name: 'the answer to a late creation',
    file: 'libs/mandate/src/create-mandate/create-mandate.ts',
    from: 'throw error instanceof TooLate ? await this.whyGivenUp(mandateId, party, terms.limit) : error;',
    to: 'throw error;',
    spec: capping,
    beyond: 'nothing was written: it is the reason that the agent is told',
  },
  {
    rule: 30,
    name: 'the first approval stays',
    file: REQUESTS,
    from: '(known && !known.approval ? { ...known, approval } : null)',
    to: '(known ? { ...known, approval } : null)',
    spec: interrupted,
    beyond: 'a grant is a document of its own, and no event: a life’s books do not have it',
  },
  {
    rule: 30,
    name: 'who deletes it has its code',
    file: 'libs/oauth/src/authorize/consent-decision.ts',
    from: 'if (!(await this.requests.finish(requestId))) {',
    to: "await this.requests.finish(requestId);\n    if (requestId === '') {",
    spec: interrupted,
    beyond: 'nobody in a life clicks twice at once',
  },
  {
    rule: 31,
    name: 'who has to ask, in the delegation',
    file: DECIDER,
    from: 'if (mustAsk(delegation) && !isDecided) return [];',
    to: '',
    spec: delegation,
  },
  {
    rule: 31,
    name: 'only what is approved is created',
    file: 'libs/mandate/src/mandate.decider.ts',
    from: "const isApproved = mandate.kind === 'none' || (mandate.pending?.approved && terms.grantedBy === 'traveller');",
    to: 'const isApproved = true;',
    spec: asked,
    beyond:
      'it takes a process that stands still between opening and creating, while the agent is made to ask: not once in a thousand lives',
  },
  {
    rule: 31,
    name: 'one approval',
    file: 'libs/mandate/src/traveller-decisions.rule.ts',
    from: 'if (!isInForce(mandate, holder, now) || !mandate.pending || mandate.pending.approved) return [];',
    to: 'if (!isInForce(mandate, holder, now) || !mandate.pending) return [];',
    spec: asked,
    beyond: 'it takes two answers to one request at the same moment: not once in a thousand lives',
  },
  {
    rule: 31,
    name: 'the bounds of what waits',
    file: 'libs/mandate/src/pending-mandates.ts',
    from: 'if (waiting.length < limit) return;',
    to: 'if (limit > 0) return;',
    spec: 'test/scenarios/pending-mandates.spec.ts',
  },
];
