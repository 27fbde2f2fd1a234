import type { Line } from '#events';

const BAGGAGE: Readonly<Record<Line['baggage'], string>> = {
  none: 'sem bagagem despachada',
  checked: 'com bagagem despachada',
  'checked+seat': 'com bagagem despachada e escolha de assento',
};

const arrivalDay = (offset: number): string =>
  offset === 0 ? '' : offset === 1 ? ' do dia seguinte' : `, ${offset} dias depois`;

/** When a flight leaves and arrives, in local times of the airports, and what its fare includes. */
export const journeyText = (line: Line): string => {
  const { departureDate, departureTime, arrivalTime, arrivalDayOffset, baggage } = line;
  const day = departureDate === null ? 'Sai' : `Em ${departureDate.split('-').reverse().join('/')}, sai`;
  return `${day} às ${departureTime} e chega às ${arrivalTime}${arrivalDay(arrivalDayOffset)}; ${BAGGAGE[baggage]}.`;
};
