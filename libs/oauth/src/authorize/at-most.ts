import { type Money, money } from '#kernel';
import { html, type Html, moneyText } from '#site';

/** What decides how much an agent could spend at most, as a form stands. */
export interface AtMost {
  /** The ceilings of the mandates that the form grants; null: one that is no amount yet. */
  readonly granted: readonly (Money | null)[];
  /** What the mandates that are open already may still charge, by currency. */
  readonly open: readonly Money[];
  /** What counts against a cap for good. */
  readonly spent: Money;
  /** null: none; 'unreadable': it is no amount yet. */
  readonly cap: Money | null | 'unreadable';
  readonly asksFirst: boolean;
  /** Whether it may have mandates beside those that the form grants, by this consent or by one from before. */
  readonly mayOpen: boolean;
  /** Nobody registered it: without a cap it opens none by itself. */
  readonly isStranger: boolean;
  /** The cap within which it opens its own before anything is decided; null: it does so without one, undefined: it does not. */
  readonly already: Money | null | undefined;
}

/** Sums by currency; or what is no sum. */
type Sums = readonly Money[] | 'unlimited' | 'as typed';

/** Whether it may open mandates without its traveller's word on each. */
const opensItself = ({ mayOpen, asksFirst, isStranger, cap }: AtMost): boolean =>
  mayOpen && !asksFirst && !(isStranger && cap === null);

const summed = (amounts: readonly (Money | null)[]): Sums => {
  const sums = new Map<Money['currency'], number>();
  for (const one of amounts) {
    if (one === null) return 'as typed';
    sums.set(one.currency, (sums.get(one.currency) ?? 0) + one.amount);
  }
  return [...sums].flatMap(([currency, amount]) => (amount > 0 ? [money(amount, currency)] : []));
};

const capped = (cap: AtMost['cap'], spent = 0): Sums => {
  if (cap === null) return 'unlimited';
  return cap === 'unreadable' ? 'as typed' : [money(Math.max(0, cap.amount - spent), cap.currency)];
};

/** Whether the form lets it open no more of its own than it may before anything is decided. */
const keepsWithin = ({ already, cap }: AtMost): boolean =>
  already === null || (already !== undefined && cap !== null && cap !== 'unreadable' && cap.amount <= already.amount);

/**
 * What the consent grants to be spent, as its button says it: the mandates it names, or the cap within which the agent
 * opens its own, unless it does so already. One that asks for each gets no more than its cap, and without one nothing.
 */
const grantOf = (form: AtMost): Sums => {
  const { granted, cap, mayOpen } = form;
  if (opensItself(form) && !(granted.length > 0 && keepsWithin(form))) return capped(cap);
  return granted.length === 0 && mayOpen && cap !== null ? capped(cap) : summed(granted);
};

/** What the button says, as the form sends it back: `50000 BRL`, several with commas; '' where it says no amount. */
const shownIn = (form: AtMost): string => {
  const grant = grantOf(form);
  return typeof grant === 'string' ? grant : grant.map(({ amount, currency }) => `${amount} ${currency}`).join();
};

/** Whether a form grants what its button showed; a form without it (`shown` undefined) comes from no such page. */
export const isAsShown = (form: AtMost, shown: string | undefined): boolean =>
  shown === undefined || shown === shownIn(form);

/** What the button says, sent with it. A program that fills in forms does not read buttons: it is no field of type `hidden`. */
export const shownField = (form: AtMost): Html =>
  html`<input name="shown" value="${shownIn(form)}" aria-label="Valor no botão" autocomplete="off" readonly hidden />`;

/** The text of the button that grants. A script keeps it to what is entered. */
export const approveText = (form: AtMost): Html => {
  const grant = grantOf(form);
  const amount = grant === 'unlimited' ? 'sem limite' : grant === 'as typed' ? '' : listed(grant);
  return html`Autorizar <span data-granted>${amount}</span>`;
};

/** What the mandates that the form grants come to. A script keeps it to what is entered. */
export const totalText = ({ granted }: AtMost): string => {
  const sums = summed(granted);
  return typeof sums === 'string' ? 'o que você escrever' : listed(sums);
};

type Kind = 'sum' | 'beside' | 'asks' | 'nothing' | 'unlimited' | 'as typed';

/** What it could spend in all: beside what is granted what is open already, and less what a cap has left. */
const spendable = (form: AtMost): readonly [kind: Kind, sums: readonly Money[]] => {
  const { granted, open, cap, mayOpen, spent } = form;
  const sums = opensItself(form) ? capped(cap, spent.amount) : summed([...granted, ...open]);
  if (typeof sums === 'string') return [sums, []];
  const isBeside = opensItself(form) && granted.length > 0 && keepsWithin(form);
  if (sums.length > 0) return [isBeside ? 'beside' : 'sum', sums];
  const asked = mayOpen && cap !== null ? capped(cap, spent.amount) : [];
  return typeof asked === 'string' || asked.length === 0 ? ['nothing', []] : ['asks', asked];
};

/** What the agent could spend at most, beside the button. A script updates it. */
export const atMostText = (form: AtMost): Html => {
  const [kind, sums] = spendable(form);
  const { granted, open, spent, mayOpen, isStranger, already } = form;
  const isOpen = open.some(({ amount }) => amount > 0);
  const when = (one: Kind, text: Html) => html`<span data-when="${one}" ${one !== kind && html`hidden`}>${text}</span>`;
  const sum = html`<strong data-sum>${listed(sums)}</strong>`;
  return html`<p
    class="at-most"
    data-open="${open.map(({ amount, currency }) => `${amount} ${currency}`).join()}"
    data-spent="${spent.amount}"
    ${mayOpen && html`data-may-open`}
    ${isStranger && html`data-stranger`}
    ${already !== undefined && html`data-already="${already === null ? 'none' : already.amount}"`}
  >
    ${when('sum', html`Pode gastar no máximo ${sum} ao todo${isOpen && ', com o que você já autorizou'}.`)}
    ${when('beside', html`Aqui, só até o teto autorizado. Em outras compras ele decide sozinho: no máximo ${sum} ao todo.`)}
    ${when('asks', html`Pergunta a você antes de cada compra, até ${sum} ao todo.`)}
    ${when('nothing', html`<strong>Não gasta nada</strong>${mayOpen ? ' sem a sua permissão.' : '.'}`)}
    ${when('unlimited', granted.length === 0 ? html`Pode gastar <strong>sem limite</strong>, em quantas compras quiser.` : html`Aqui, só até o teto autorizado; em outras compras, pode gastar <strong>sem limite</strong>.`)}
    ${when('as typed', html`Pode gastar até o valor que você escrever.`)}
    <span data-then ${!(kind === 'sum' && mayOpen && !opensItself(form)) && html`hidden`}
      >Depois disso, pergunta a você.</span
    >
  </p>`;
};

const listed = (sums: readonly Money[]): string =>
  new Intl.ListFormat('pt-BR', { type: 'conjunction' }).format(sums.map(moneyText));
