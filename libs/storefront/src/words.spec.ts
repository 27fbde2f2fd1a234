import { baggageText, dateText, dayText, durationText, isoDuration, seatsText } from './words.js';

describe('a flight in words', () => {
  it.each([
    [195, '3 h 15 min', 'PT3H15M'],
    [60, '1 h', 'PT1H'],
    [45, '45 min', 'PT45M'],
    [1_505, '25 h 5 min', 'PT25H5M'],
  ])('takes %i minutes: %s, %s', (minutes, text, iso) => {
    expect([durationText(minutes), isoDuration(minutes)]).toEqual([text, iso]);
  });

  it.each([
    [0, 'no mesmo dia'],
    [1, 'no dia seguinte'],
    [2, '2 dias depois'],
  ])('arrives %i days after its departure: %s', (offset, text) => {
    expect(dayText(offset)).toBe(text);
  });

  it.each([
    [220, '220 assentos'],
    [1, '1 assento'],
    [0, 'Esgotado'],
  ])('with %i seats left: %s', (seats, text) => {
    expect(seatsText(seats)).toBe(text);
  });

  it('says what baggage a fare includes', () => {
    expect((['none', 'checked', 'checked+seat'] as const).map(baggageText)).toEqual([
      'Sem bagagem despachada',
      'Com bagagem despachada',
      'Com bagagem despachada e assento marcado',
    ]);
  });

  it('leaves on a date that no time zone moves', () => {
    expect(dateText('2027-01-01')).toBe('1 de janeiro de 2027');
  });
});
