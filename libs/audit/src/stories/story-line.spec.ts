import { refusalLine } from './story-line.js';

const brl = (amount: number) => ({ amount, currency: 'BRL' });
const reason = 'mandate_constraint_violated';
const flight = { reason, flightNumber: 'AL1001', from: 'GRU', to: 'GIG', unitPrice: brl(329_90) };

describe('a refusal, to an auditor at a terminal', () => {
  it.each([
    [{ reason }, reason],
    [flight, `${reason}; GRU → GIG (AL1001)`],
    [
      { ...flight, allowed: { to: ['REC', 'SSA'] } },
      `${reason}; GRU → GIG (AL1001); the mandate allows flights to REC or SSA alone`,
    ],
    [
      { ...flight, allowed: { from: ['REC'] } },
      `${reason}; GRU → GIG (AL1001); the mandate allows flights from REC alone`,
    ],
    [
      { ...flight, allowed: { maxPricePerSeat: brl(300_00) } },
      `${reason}; GRU → GIG (AL1001); the mandate allows 300.00 BRL a seat, and it costs 329.90 BRL`,
    ],
    [
      { ...flight, allowed: { orderTotal: { max: brl(300_00) } } },
      `${reason}; GRU → GIG (AL1001); the mandate allows orders of 300.00 BRL at most`,
    ],
    [
      { ...flight, allowed: { orderTotal: { min: brl(1), max: brl(300_00) } } },
      `${reason}; GRU → GIG (AL1001); the mandate allows orders of 0.01 BRL to 300.00 BRL`,
    ],
    [{ ...flight, allowed: { maxOrders: 2 } }, `${reason}; GRU → GIG (AL1001); the mandate allows 2 orders`],
    [
      { ...flight, unitPrice: 7, allowed: { maxPricePerSeat: null } },
      `${reason}; GRU → GIG (AL1001); the mandate allows something unknown a seat, and it costs something unknown`,
    ],
  ])('%j is told as %j', (data, told) => {
    expect(refusalLine(data)).toBe(told);
  });
});
