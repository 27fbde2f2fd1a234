import { execFileSync } from 'node:child_process';
import process from 'node:process';
import type { People } from '#booking';
import type { Locators } from '#checkout';
import { type PaidOrder, receiptView } from '#order';
import { NOW, tellNotGiven } from '#testing';
import { sampleCheckout, samplePayment } from '../../../booking/src/testing/index.js';
import { ticketPdf } from './ticket-pdf.js';

const CODES = ['9770000000014', '9770000000025'] as const;
const NAMED: People = {
  travellers: [
    { givenName: 'Conceição', familyName: "D'Ávila Nguyễn" },
    { givenName: 'Łukasz', familyName: 'de Sá' },
  ],
};

/** The ticket of a paid order. `codes`: of an old order one for all who fly. */
const drawn = (people: People, codes: readonly string[] = CODES): Promise<Buffer> => {
  const order: PaidOrder = {
    kind: 'paid',
    checkout: sampleCheckout(),
    placedAt: NOW,
    challenge: null,
    ticketCode: CODES[0],
    ...(codes.length > 1 && { ticketCodes: codes }),
    payment: samplePayment,
    paidAt: NOW,
  };
  const locators = { of: () => 'K7MPXR' } as Pick<Locators, 'of'> as Locators;
  return ticketPdf({ receipt: receiptView(order, locators), people, siteUrl: 'https://alcada.example' });
};

const countOf = (pdf: Buffer, pattern: RegExp): number => pdf.toString('latin1').match(pattern)?.length ?? 0;

it('has a page a passenger and its fonts in it, and is the same at every read', async () => {
  const pdf = await drawn(NAMED);
  expect(countOf(pdf, /\/Type \/Page\b/g)).toBe(2);
  expect(countOf(pdf, /\/FontFile2 /g)).toBe(2);
  expect(await drawn(NAMED)).toEqual(pdf);
  expect(countOf(await drawn({}, [CODES[0]]), /\/Type \/Page\b/g)).toBe(1);
});

/** What another program reads. */
const { PDFTOTEXT = '' } = process.env;
if (PDFTOTEXT === '') tellNotGiven('the text of a ticket', 'PDFTOTEXT');

(PDFTOTEXT === '' ? describe.skip : describe)('pdftotext', () => {
  const pagesOf = (pdf: Buffer): readonly string[] =>
    execFileSync(PDFTOTEXT, ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' }).split('\f').slice(0, -1);

  it('reads each name with its accents on the page of its ticket, and nobody else there', async () => {
    const [first = '', second = ''] = pagesOf(await drawn(NAMED));
    expect(first).toContain("Conceição D'Ávila Nguyễn");
    expect(first).toContain(CODES[0]);
    expect(first).not.toMatch(/Łukasz|9770000000025/);
    expect(second).toMatch(/Łukasz de Sá\s[\s\S]*9770000000025/);
    for (const page of [first, second])
      expect(page).toMatch(
        /K7MPXR[\s\S]*GRU – REC\s+São Paulo – Recife\s+Voo AL4012, tarifa Clássica[\s\S]*R\$\s579,90/,
      );
  });

  it('reads of passengers whom nobody named which of them they are', async () => {
    expect(pagesOf(await drawn({})).map((page) => /\d de 2/.exec(page)?.[0])).toEqual(['1 de 2', '2 de 2']);
    expect(pagesOf(await drawn({}, [CODES[0]]))).toEqual([expect.stringContaining('2 pessoas')]);
  });
});
