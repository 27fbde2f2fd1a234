import type { FlightView } from '#catalog';
import { money } from '#kernel';
import { dayText, html, type Html, moneyText } from '#site';

export { baggageText, dateText, dayText, durationText } from '#site';

type Fare = FlightView['prices'][number];

/** ISO 8601, for machines: `PT3H15M`. */
export const isoDuration = (minutes: number): string => {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `PT${hours > 0 ? `${hours}H` : ''}${rest > 0 || hours === 0 ? `${rest}M` : ''}`;
};

export const seatsText = (seats: number): string => {
  if (seats <= 0) return 'Esgotado';
  return seats === 1 ? '1 assento' : `${seats} assentos`;
};

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
