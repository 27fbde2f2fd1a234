import type { KeepFlight } from '#catalog';
import { money, type Money } from '#kernel';
import type { Message } from '../envelope.js';
import type { Context, Filters } from './catalog-input.js';
import { categoriesOf, type Product } from './products.js';

/** Whether anything is narrowed by these filters. */
export const isNarrow = ({ price, categories = [], from = '', to = '', ...others }: Filters): boolean =>
  price?.min !== undefined ||
  price?.max !== undefined ||
  categories.length > 0 ||
  `${from}${to}`.trim() !== '' ||
  Object.keys(others).length > 0;

/** Whether a price is asked for; one in another currency than the filter's is, since nothing is converted (UCP, Price Filter). */
export const priceWanted =
  ({ price: { min = 0, max = Infinity } = {} }: Filters, { currency: meant }: Context) =>
  ({ amount, currency }: Money): boolean =>
    (meant !== undefined && meant !== currency) || (min <= amount && amount <= max);

type Routed = Parameters<typeof categoriesOf>[0];

export const categoryWanted =
  ({ categories = [] }: Filters) =>
  (flight: Routed): boolean =>
    categories.length === 0 || categoriesOf(flight).some((category) => categories.includes(category));

/** Which flights a search keeps; undefined: all, of which none is looked at. */
export const keptBy = (filters: Filters, context: Context): KeepFlight | undefined => {
  const { price, categories = [], passengers = 0 } = filters;
  if (!price && categories.length === 0 && passengers === 0) return undefined;
  const [isPriced, isOfCategory] = [priceWanted(filters, context), categoryWanted(filters)];
  return (flight) =>
    flight.seatsLeft >= passengers &&
    (!price || flight.fares.some(({ price }) => isPriced(money(price, flight.currency)))) &&
    isOfCategory(flight);
};

/** What an answer says of a filter that could not be applied to some of its products. */
export const priceMessages = (
  { price }: Filters,
  { currency }: Context,
  products: readonly Pick<Product, 'price_range'>[],
): readonly Message[] => {
  const others = new Set(products.map(({ price_range }) => price_range.min.currency).filter((one) => one !== currency));
  if (!price || currency === undefined || others.size === 0) return [];
  const content = `O filtro de preço está em ${currency} e não foi aplicado a preços em ${[...others].join(' e ')}.`;
  return [{ type: 'info', code: 'price_filter_ignored', content }];
};
