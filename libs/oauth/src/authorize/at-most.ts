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
}

type Result = readonly Money[] | 'unlimited' | 'as typed';

/** The sums, by currency; none: nothing at all. */
const resultOf = ({ granted, open, spent, cap, mayOpen, ...agent }: AtMost): Result => {
  const opensItself = mayOpen && !agent.asksFirst && !(agent.isStranger && cap === null);
  if (opensItself && cap === null) return 'unlimited';
  if (opensItself && cap === 'unreadable') return 'as typed';
  if (opensItself && cap !== null && cap !== 'unreadable')
    return [money(Math.max(0, cap.amount - spent.amount), cap.currency)];
  const sums = new Map<Money['currency'], number>();
  for (const one of [...granted, ...open]) {
    if (one === null) return 'as typed';
    sums.set(one.currency, (sums.get(one.currency) ?? 0) + one.amount);
  }
  return [...sums].flatMap(([currency, amount]) => (amount > 0 ? [money(amount, currency)] : []));
};

/** What the agent could spend at most, beside the button. A script updates it; without one, a change says that choices count. */
export const atMostText = (content: AtMost): Html => {
  const result = resultOf(content);
  const kind = typeof result === 'string' ? result : result.length === 0 ? 'nothing' : 'sum';
  const { open, spent, mayOpen, isStranger } = content;
  const isOpen = open.some(({ amount }) => amount > 0);
  const sum = typeof result === 'string' ? '' : listed(result);
  return html`<p
    class="at-most"
    data-open="${open.map(({ amount, currency }) => `${amount} ${currency}`).join()}"
    data-spent="${spent.amount}"
    ${mayOpen && html`data-may-open`}
    ${isStranger && html`data-stranger`}
  >
    <span class="now">
      <span data-when="sum" ${kind !== 'sum' && html`hidden`}
        >Pode gastar no máximo <strong data-sum>${sum}</strong> ao
        todo${isOpen && ', com os mandatos já abertos'}.</span
      >
      <span data-when="nothing" ${kind !== 'nothing' && html`hidden`}
        ><strong>Não gasta nada</strong>${mayOpen ? ' sem a sua permissão.' : '.'}</span
      >
      <span data-when="unlimited" ${kind !== 'unlimited' && html`hidden`}
        >Pode gastar <strong>sem limite</strong>: abre quantos mandatos quiser.</span
      >
      <span data-when="as typed" ${kind !== 'as typed' && html`hidden`}
        >Pode gastar até o valor que você escrever.</span
      >
    </span>
    <span class="changed">Vale o que você marcou acima.</span>
  </p>`;
};

const listed = (sums: readonly Money[]): string =>
  new Intl.ListFormat('pt-BR', { type: 'conjunction' }).format(sums.map(moneyText));
