import { money } from '#kernel';
import type { Audience } from '../layout/auditor-page.js';
import type { Movement, Movements } from '../movements/movements.js';
import { csvLine, movementLines, sumsCsv } from './month-csv.js';
import { monthSums } from './month-sums.js';
import { monthAfter, monthName } from './month.page.js';
import { MonthsController } from './months.controller.js';

const paid: Movement = {
  ...{ at: '2026-11-27T12:00:00.000Z', kind: 'cancelled', amount: money(619_90, 'BRL'), refund: money(100_00, 'BRL') },
  ...{ reason: null, orderId: 'o1', mandateId: 'm1', step: null, holder: 'h', clientId: '-SUM(A1)' },
  ...{
    flight: { number: 'AL4011', from: 'GRU', to: 'REC' },
    departs: '2026-12-12',
    card: { brand: 'visa', last4: '4242' },
  },
};
const refused: Movement = {
  ...paid,
  kind: 'refused',
  refund: null,
  reason: 'mandate_limit_exceeded',
  orderId: null,
  step: 4,
};

async function* read(...movements: readonly Movement[]): AsyncGenerator<Movement> {
  await Promise.resolve();
  yield* movements;
}

describe('a month that is taken away', () => {
  it('has a line for each charge and refusal: integers with their currency, and no formula', async () => {
    let text = '';
    for await (const lines of movementLines(read(paid, refused))) text += lines;
    expect(text.split('\r\n').slice(1)).toEqual([
      "2026-11-27T12:00:00.000Z,cancelada,61990,BRL,10000,,o1,m1,,h,'-SUM(A1),AL4011,GRU,REC,2026-12-12,visa,4242",
      "2026-11-27T12:00:00.000Z,recusada pelo mandato,61990,BRL,0,mandate_limit_exceeded,,m1,4,h,'-SUM(A1),AL4011,GRU,REC,2026-12-12,visa,4242",
      '',
    ]);
  });

  it('has its sums by currency and reason', async () => {
    const dollars: Movement = { ...paid, kind: 'paid', amount: money(5_00, 'USD'), refund: money(0, 'USD') };
    expect(sumsCsv(await monthSums('2026-11', read(paid, paid, refused, dollars)))).toBe(
      [
        'mes,tipo,motivo,quantidade,soma_centavos,moeda',
        '2026-11,cobrado,,2,123980,BRL',
        '2026-11,cobrado,,1,500,USD',
        '2026-11,devolvido,,2,20000,BRL',
        '2026-11,recusado,mandate_limit_exceeded,1,61990,BRL',
        '',
      ].join('\r\n'),
    );
  });

  it.each([
    ['a"b', '"a""b"'],
    ['a,b', '"a,b"'],
    ['a\r\nb', '"a\r\nb"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['@x', "'@x"],
    ['\tx', "'\tx"],
    [null, ''],
    [-5, '-5'],
  ])('writes %j as RFC 4180 and no spreadsheet’s formula', (cell, written) =>
    expect(csvLine([cell, 'z'])).toBe(`${written},z\r\n`),
  );

  it('is called by its name, before one and after another', () => {
    expect([monthName('2026-11'), monthAfter('2026-12', 1), monthAfter('2026-01', -1)]).toEqual([
      'novembro de 2026',
      '2027-01',
      '2025-12',
    ]);
  });

  it('is one file at a time: the next begins once the reader of the last one has ended', async () => {
    let begun = 0;
    const movements = {
      all: () => {
        begun += 1;
        return read(paid);
      },
    } as unknown as Movements;
    const months = new MonthsController(movements);
    const audience = (id: string) => ({ session: { id } }) as Audience;
    const first = await months.lines('2026-11', audience('a'));
    const second = months.lines('2026-11', audience('b'));
    await new Promise(setImmediate);
    expect(begun).toBe(1);
    first.getStream().destroy();
    let text = '';
    for await (const chunk of (await second).getStream()) text += String(chunk);
    expect([begun, text.split('\r\n').length]).toEqual([2, 3]);
  });
});
