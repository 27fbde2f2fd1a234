import { progressLine } from './progress-line.js';

const shownOn = (isTTY: boolean, ...done: readonly number[]): string => {
  let text = '';
  const show = progressLine('orders', { isTTY, write: (more: string) => (text += more) });
  for (const one of done) show(one);
  return text;
};

describe('the progress of a rebuild', () => {
  it('is a bar on a terminal, drawn again where it moved, with its end of line at the end', () => {
    expect(shownOn(true, 0, 0.001, 0.5, 0.5, 1)).toBe(
      [
        `\rorders  ${'░'.repeat(30)}    0 %`,
        `\rorders  ${'█'.repeat(15)}${'░'.repeat(15)}   50 %`,
        `\rorders  ${'█'.repeat(30)}  100 %\n`,
      ].join(''),
    );
  });

  it('is a line for every tenth anywhere else', () => {
    expect(shownOn(false, 0.01, 0.05, 0.1, 0.19, 0.95, 1)).toBe(
      'orders: 0 %\norders: 10 %\norders: 90 %\norders: 100 %\n',
    );
  });
});
