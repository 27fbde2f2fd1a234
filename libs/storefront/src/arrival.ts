import type { FlightView } from '#catalog';
import { html, type Html } from '#site';
import { dayText } from './words.js';

/** When a fare arrives, with the days after departure: to the eye `+1`, to the ear in words. */
export const arrival = ({ arrivalTime, arrivalDayOffset }: FlightView['prices'][number]): Html =>
  html`<time datetime="${arrivalTime}">${arrivalTime}</time>${
      arrivalDayOffset > 0 &&
      html`<span class="offset" aria-hidden="true">+${arrivalDayOffset}</span
        ><span class="visually-hidden"> ${dayText(arrivalDayOffset)}</span>`
    }`;
