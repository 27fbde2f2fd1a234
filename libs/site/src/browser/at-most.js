/* What an agent could spend at most, updated to what is chosen. Without it the page shows what it came with, and says so. */
const AMOUNT = /^(\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d{1,2})|\.(\d{2}))?$/;

/** Cents; NaN where the entry is no amount. */
const centsIn = (entry) => {
  const [, whole, afterComma = '', afterDot = ''] = AMOUNT.exec(entry.trim()) ?? [];
  return whole === undefined ? NaN : Number(whole.replaceAll('.', '') + (afterComma || afterDot).padEnd(2, '0'));
};

const text = (cents, currency) => (cents / 100).toLocaleString('pt-BR', { style: 'currency', currency });

const line = document.querySelector('.at-most');
const form = line.closest('form');

/** What is entered of an amount: '' where none is wanted. */
const entryOf = (name) => {
  const choice = form.elements[`${name}-choice`].value;
  return choice === 'typed' ? form.elements[name].value || '?' : choice;
};

const result = () => {
  const cap = form.elements['cap-choice'] ? entryOf('cap') : '';
  const isAsking = form.elements['mode']?.value !== 'agent';
  const opensItself = 'mayOpen' in line.dataset && !isAsking && !('stranger' in line.dataset && cap === '');
  if (opensItself && cap === '') return 'unlimited';
  if (opensItself) {
    const left = Math.max(0, centsIn(cap) - Number(line.dataset.spent));
    return Number.isNaN(left) ? 'as typed' : new Map([['BRL', left]]);
  }
  const sums = new Map();
  const add = (cents, currency) => sums.set(currency, (sums.get(currency) ?? 0) + cents);
  for (const one of line.dataset.open.split(',').filter(Boolean)) add(Number(one.split(' ')[0]), one.split(' ')[1]);
  for (const { dataset } of form.querySelectorAll('[data-amount]'))
    if (dataset.amount !== 'cap') add(centsIn(entryOf(dataset.amount)), dataset.currency);
  return [...sums.values()].some(Number.isNaN) ? 'as typed' : sums;
};

const show = () => {
  const now = result();
  const sums = typeof now === 'string' ? [] : [...now].filter(([, cents]) => cents > 0);
  const kind = typeof now === 'string' ? now : sums.length === 0 ? 'nothing' : 'sum';
  for (const one of line.querySelectorAll('[data-when]')) one.hidden = one.dataset.when !== kind;
  line.querySelector('[data-sum]').textContent = new Intl.ListFormat('pt-BR').format(
    sums.map(([currency, cents]) => text(cents, currency)),
  );
};

form.addEventListener('input', show);
// A page that the browser brings back keeps what was chosen on it.
addEventListener('pageshow', show);
show();
line.dataset.live = '';
