import type { FlightView } from '#catalog';
import { money } from '#kernel';
import { html, type Html, moneyText } from '#site';

type Fare = FlightView['prices'][number];

/** `3 h 15 min`. */
export const durationText = (minutes: number): string => {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
};

/** ISO 8601, for machines: `PT3H15M`. */
export const isoDuration = (minutes: number): string => {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `PT${hours > 0 ? `${hours}H` : ''}${rest > 0 || hours === 0 ? `${rest}M` : ''}`;
};

/** When a fare arrives, counted from the day of departure. */
export const dayText = (offset: number): string => {
  if (offset === 0) return 'no mesmo dia';
  return offset === 1 ? 'no dia seguinte' : `${offset} dias depois`;
};

const BAGGAGE: Readonly<Record<Fare['baggage'], string>> = {
  none: 'Sem bagagem despachada',
  checked: 'Com bagagem despachada',
  'checked+seat': 'Com bagagem despachada e assento marcado',
};
export const baggageText = (baggage: Fare['baggage']): string => BAGGAGE[baggage];

export const seatsText = (seats: number): string => {
  if (seats <= 0) return 'Esgotado';
  return seats === 1 ? '1 assento' : `${seats} assentos`;
};

const DATE = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeZone: 'UTC' });

/** A local date as a page shows it: `15 de julho de 2026`. */
export const dateText = (date: string): string => DATE.format(Date.parse(`${date}T00:00:00Z`));

/** The cheapest fare, of those equally cheap the first; null where there is none. */
export const cheapestOf = ({ prices }: FlightView): Fare | null =>
  prices.reduce<Fare | null>((best, fare) => (best && best.price <= fare.price ? best : fare), null);

export const priceText = (fare: Fare, { currency }: FlightView): string => moneyText(money(fare.price, currency));

/** When a fare arrives, with the days after departure: to the eye `+1`, to the ear in words. */
export const arrival = ({ arrivalTime, arrivalDayOffset }: FlightView['prices'][number]): Html =>
  html`<time datetime="${arrivalTime}">${arrivalTime}</time>${
      arrivalDayOffset > 0 &&
      html`<span class="offset" aria-hidden="true">+${arrivalDayOffset}</span
        ><span class="visually-hidden"> ${dayText(arrivalDayOffset)}</span>`
    }`;
