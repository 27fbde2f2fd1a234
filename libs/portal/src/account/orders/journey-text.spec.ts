import type { Line } from '#events';
import { sampleCheckout } from '../../../../booking/src/testing/index.js';
import { journeyText } from './order-rows.js';

const line: Line = {
  ...sampleCheckout().line,
  ...{ departureTime: '22:10', arrivalTime: '11:25', arrivalDayOffset: 1, baggage: 'none' },
};

describe('a journey in words', () => {
  it.each<[Partial<Line>, string]>([
    [{}, 'Sai às 22:10 e chega às 11:25 do dia seguinte; sem bagagem despachada.'],
    [{ arrivalDayOffset: 0, baggage: 'checked' }, 'Sai às 22:10 e chega às 11:25; com bagagem despachada.'],
    [
      { arrivalDayOffset: 2, baggage: 'checked+seat' },
      'Sai às 22:10 e chega às 11:25, 2 dias depois; com bagagem despachada e escolha de assento.',
    ],
    [
      { departureDate: '2026-12-05' },
      'Em 05/12/2026, sai às 22:10 e chega às 11:25 do dia seguinte; sem bagagem despachada.',
    ],
  ])('%j reads %j', (change, text) => {
    expect(journeyText({ ...line, ...change })).toBe(text);
  });
});
