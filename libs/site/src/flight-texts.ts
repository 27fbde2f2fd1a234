import type { Fare } from '#events';

/** `3 h 15 min`. */
export const durationText = (minutes: number): string => {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
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

const DATE = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeZone: 'UTC' });

/** A local date as a page shows it: `15 de julho de 2026`. */
export const dateText = (date: string): string => DATE.format(Date.parse(`${date}T00:00:00Z`));
