/** What the page of verification calls what a refusal names: cities by airport, and sentences by reason. */
export interface RefusalNames {
  readonly cities: Readonly<Record<string, string>>;
  readonly reasons: Readonly<Record<string, string>>;
}

/** What an event that nobody has checked says. */
type Unchecked = Readonly<Record<string, unknown>>;

/** What a `MandateChargeRefused` refused and why, as `refusalWords` does. It runs in browsers, so it imports nothing. */
export const refusalText = (data: Unchecked, names: RefusalNames): string =>
  [whatOf(data, names), whyOf(data, names)].filter((part) => part !== '').join(' ');

const whatOf = ({ amount, flightNumber, from, to }: Unchecked, names: RefusalNames): string => {
  const sum = amountText(amount);
  if (sum === null) return '';
  if (typeof flightNumber !== 'string' || typeof from !== 'string' || typeof to !== 'string')
    return `Cobrança de ${sum} recusada.`;
  return `${sum} recusados: ${cityOf(from, names)} → ${cityOf(to, names)} (${flightNumber}).`;
};

const whyOf = ({ reason, allowed, unitPrice }: Unchecked, names: RefusalNames): string => {
  const { from, to, maxPricePerSeat, maxOrders, orderTotal } = isObject(allowed) ? allowed : {};
  if (isTexts(from)) return `O mandato só permite voos que saem de ${citiesOf(from, names)}.`;
  if (isTexts(to)) return `O mandato só permite voos para ${citiesOf(to, names)}.`;
  const most = amountText(maxPricePerSeat);
  if (most !== null) {
    const price = amountText(unitPrice);
    return `O mandato só permite até ${most} por assento${price === null ? '' : `; este custa ${price}`}.`;
  }
  if (typeof maxOrders === 'number')
    return `O mandato só permite ${maxOrders === 1 ? 'uma compra' : `${maxOrders} compras`}.`;
  const { min, max } = isObject(orderTotal) ? orderTotal : {};
  const [least, all] = [amountText(min), amountText(max)];
  if (all !== null) return `O mandato só permite compras de ${least === null ? 'até' : `${least} a`} ${all}.`;
  if (typeof reason !== 'string') return '';
  return Object.hasOwn(names.reasons, reason) ? (names.reasons[reason] ?? reason) : reason;
};

const isObject = (value: unknown): value is Unchecked => typeof value === 'object' && value !== null;
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const amountText = (value: unknown): string | null => {
  if (!isObject(value)) return null;
  const { amount, currency } = value;
  if (typeof amount !== 'number' || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return null;
  return new Intl.NumberFormat('pt-BR', { style: 'currency', currency }).format(amount / 100);
};

const cityOf = (code: string, { cities }: RefusalNames): string =>
  Object.hasOwn(cities, code) ? (cities[code] ?? code) : code;

const citiesOf = (codes: readonly string[], names: RefusalNames): string =>
  new Intl.ListFormat('pt-BR', { type: 'disjunction' }).format(new Set(codes.map((code) => cityOf(code, names))));
