/* What a consent grants and what an agent could spend at most, kept to what is entered. Without it each button asks the server. */
const AMOUNT = /^(\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d{1,2})|\.(\d{2}))?$/;
const FIRST = 500_00;
const HIGHEST = 10 ** 12;

/** Cents; NaN where the entry is no amount. */
const centsIn = (entry) => {
  const [, whole, afterComma = '', afterDot = ''] = AMOUNT.exec(entry.trim()) ?? [];
  const cents = whole === undefined ? NaN : Number(whole.replaceAll('.', '') + (afterComma || afterDot).padEnd(2, '0'));
  return cents <= HIGHEST ? cents : NaN;
};

const text = (cents, currency) => (cents / 100).toLocaleString('pt-BR', { style: 'currency', currency });
const texts = (sums) => new Intl.ListFormat('pt-BR').format(sums.map(([currency, cents]) => text(cents, currency)));

const line = document.querySelector('.at-most');
const form = line.closest('form');
const field = (name) => form.elements[name];

/** What is entered of an amount: '' where none is wanted. */
const entryOf = (name) => {
  const choice = field(`${name}-choice`);
  if (choice === undefined || choice.disabled) return field(name).value;
  return choice.value === 'typed' ? field(name).value || '?' : choice.value;
};

const summed = (amounts) => {
  const sums = new Map();
  for (const [cents, currency] of amounts) sums.set(currency, (sums.get(currency) ?? 0) + cents);
  return [...sums.values()].some(Number.isNaN) ? 'as typed' : [...sums].filter(([, cents]) => cents > 0);
};

/** The form as at-most.ts reads it: what the button grants, and what could be spent in all. */
const standing = () => {
  const entry = field('cap') ? entryOf('cap').trim() : '';
  const mayOpen = 'mayOpen' in line.dataset;
  const isAsking = field('mode')?.value !== 'agent' || ('stranger' in line.dataset && entry === '');
  const opensItself = mayOpen && !isAsking;
  const capped = (spent) => {
    if (entry === '') return 'unlimited';
    const cents = centsIn(entry);
    return Number.isNaN(cents) ? 'as typed' : [['BRL', Math.max(0, cents - spent)]];
  };
  const granted = [...form.querySelectorAll('[data-amount]')]
    .filter(({ dataset }) => dataset.amount !== 'cap')
    .map(({ dataset }) => [centsIn(entryOf(dataset.amount)), dataset.currency]);
  const open = line.dataset.open.split(',').filter(Boolean);
  const all = [...granted, ...open.map((one) => [Number(one.split(' ')[0]), one.split(' ')[1]])];
  const spent = Number(line.dataset.spent);
  const isAboutCap = granted.length === 0 && mayOpen && entry !== '';
  const { already } = line.dataset;
  const keepsWithin = already === 'none' || centsIn(entry) <= Number(already);
  const isBeyond = opensItself && !(granted.length > 0 && keepsWithin);
  const grant = isBeyond || isAboutCap ? capped(0) : summed(granted);
  const sums = opensItself ? capped(spent) : summed(all);
  const asked = isAboutCap && !opensItself && sums.length === 0 ? capped(spent) : [];
  const stand = { grant, total: summed(granted) };
  if (typeof sums === 'string') return { ...stand, kind: sums, sums: [] };
  const isBeside = opensItself && granted.length > 0 && keepsWithin;
  if (sums.length > 0) return { ...stand, kind: isBeside ? 'beside' : 'sum', sums, isThen: mayOpen && isAsking };
  if (typeof asked !== 'string' && asked.length > 0) return { ...stand, kind: 'asks', sums: asked };
  return { ...stand, kind: 'nothing', sums };
};

const showOne = (name, value) => {
  for (const one of form.querySelectorAll(`[data-${name}]`)) one.hidden = one.dataset[name] !== value;
};

const strong = (words) => Object.assign(document.createElement('strong'), { textContent: words });
const asSent = (one) =>
  one.tagName === 'SELECT' ? one.selectedOptions[0].defaultSelected : one.value === one.defaultValue;

/** Each ceiling, and in how many purchases, until when and for which flights, as consent-lines.ts writes them. */
const TERMS = {
  entry: (name) => {
    const cents = centsIn(entryOf(name));
    const { currency } = form.querySelector(`[data-amount="${name}"]`).dataset;
    return [Number.isNaN(cents) ? 'o que você escrever' : text(cents, currency)];
  },
  orders: (place, { most }) => {
    const choice = field(`orders-${place}`);
    const count = choice?.value || most;
    if (count === '') return ['em ', strong('quantas compras quiser')];
    return count === '1' ? ['em ', strong('uma compra')] : ['em até ', strong(`${count} compras`)];
  },
  until: (place) => {
    const [duration, unit] = [field(`duration-${place}`), field(`unit-${place}`)];
    // The server says when that is of what it sent.
    if (asSent(duration) && asSent(unit)) return null;
    return ['por ', strong(`${duration.value} ${unit.selectedOptions[0].text}`)];
  },
  flights: (place, asked) => {
    const [from, to] = ['from', 'to'].map((end) => field(`${end}-${place}`)?.value || asked[end]);
    if (from === '' && to === '') return ['em ', strong('qualquer voo')];
    return ['voos', ...(from && [' de ', strong(from)]), ...(to && [' para ', strong(to)])];
  },
};

const showTerms = () => {
  for (const [name, words] of Object.entries(TERMS))
    for (const one of form.querySelectorAll(`[data-${name}]`)) {
      const said = words(one.dataset[name], one.dataset);
      one.sent ??= [...one.childNodes];
      one.replaceChildren(...(said ?? one.sent));
    }
};

const show = () => {
  const { grant, total, kind, sums, isThen = false } = standing();
  showOne('when', kind);
  line.querySelector('[data-then]').hidden = !isThen;
  for (const one of line.querySelectorAll('[data-sum]')) one.textContent = texts(sums);
  const isSum = typeof grant !== 'string';
  field('shown').value = isSum ? grant.map(([currency, cents]) => `${cents} ${currency}`).join() : grant;
  form.querySelector('[data-granted]').textContent = isSum ? texts(grant) : grant === 'unlimited' ? 'sem limite' : '';
  for (const one of form.querySelectorAll('[data-total]'))
    one.textContent = typeof total === 'string' ? 'o que você escrever' : texts(total);
  showTerms();
  if (field('mode')) showOne('mode', field('mode').value);
  for (const one of form.querySelectorAll('.typing'))
    one.classList.toggle('long', one.querySelector('input').value.length > 8);
  if (field('cap')) showOne('cap', entryOf('cap') === '' ? 'none' : 'some');
};

/** As amount-number.ts steps. */
const apart = (cents) => Math.max(100, 5 * 10 ** (String(cents).length - 2));
const raised = (cents) => Math.min(HIGHEST, (Math.floor(cents / apart(cents)) + 1) * apart(cents));
const lowered = (cents) => {
  const unit = apart(Math.max(0, cents - 1));
  return Math.max(0, (Math.ceil(cents / unit) - 1) * unit) || cents;
};
const entryText = (cents) => (cents / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2 });

/** Whether the cap is an amount; only where it is the page's number. */
const setCapped = (isCapped) => {
  if (field('cap-choice')?.type === 'text') field('cap-choice').disabled = !isCapped;
};

form.addEventListener('click', (event) => {
  const button = event.target.closest('[name="step"]');
  if (button === null) return;
  event.preventDefault();
  const [name, way] = button.value.split(' ');
  if (way === undefined) return;
  const before = field(name).value.trim();
  const cents = before === '' ? 0 : centsIn(before);
  if (way === 'x') field(name).value = '';
  else if (before === '') field(name).value = entryText(FIRST);
  else if (!Number.isNaN(cents)) field(name).value = entryText(way === '+' ? raised(cents) : lowered(cents));
  if (name === 'cap') setCapped(way !== 'x');
  show();
});
form.addEventListener('input', (event) => {
  if (event.target.name === 'cap') setCapped(true);
  show();
});
// A page that the browser brings back keeps what was chosen on it.
addEventListener('pageshow', show);
show();
