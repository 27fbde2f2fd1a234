import { createRequire } from 'node:module';
import type { People } from '#booking';
import type { Font } from 'fontkit';
import type QrCode from 'qrcode-generator';
import type { BaseUrls } from '#http';
import { nextTurn, type Party } from '#kernel';
import { type Orders, type PaidOrder, type ReceiptView, receiptView } from '#order';
import { instantText, moneyText } from '#site';
import { citiesText, fullName, journeyText } from '../account/orders/order-rows.js';

export interface TicketContent {
  readonly receipt: ReceiptView;
  /** Who flies, as far as the reader may know it; nobody: passengers are numbered. */
  readonly people: People;
  /** Where `/verificar` is, without a slash at the end. */
  readonly siteUrl: string;
}

/** As how many requests one counts, by whatever door it is asked for: it is drawn in up to nine pages. */
export const TICKET_WEIGHT = 20;

/** Points; a page is A5. */
const [WIDTH, MARGIN, QR] = [419.53, 40, 104];
const [INK, FAINT, ACCENT] = ['#14202b', '#5b6875', '#0b5f59'];

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- its types are a namespace
  namespace PDFKit.Mixins {
    interface PDFFont {
      registerFont(name: string, font: Font): this;
    }
  }
}

/** What draws, loaded when the first ticket is asked for: few ask for one, and reading a font takes ten times as long as using it. */
const load = async () => {
  const [{ default: Document }, { default: qrcode }, fontkit] = await Promise.all([
    import('pdfkit'),
    import('qrcode-generator'),
    import('fontkit'),
  ]);
  const require = createRequire(import.meta.url);
  const font = (weight: string): Font => {
    const read = fontkit.openSync(require.resolve(`@expo-google-fonts/noto-sans/${weight}/NotoSans_${weight}.ttf`));
    if (!('layout' in read)) throw new Error('a collection of fonts');
    return read;
  };
  return { Document, qrcode, text: font('400Regular'), strong: font('700Bold') };
};
let loaded: ReturnType<typeof load> | undefined;

/**
 * The ticket to show, as a PDF of a page a passenger, with its fonts in it. The same order makes the same bytes at every read,
 * as far as its names stay. The QR code leads to `{site_url}/verificar#<ticket>`; a browser sends no fragment to anybody.
 */
export const ticketPdf = async ({ receipt, people, siteUrl }: TicketContent): Promise<Buffer> => {
  const { Document, qrcode, text, strong } = await (loaded ??= load());
  const { line, locator, issuedAt, receiptId, note } = receipt;
  const document = new Document({
    size: 'A5',
    margin: MARGIN,
    autoFirstPage: false,
    lang: 'pt-BR',
    displayTitle: true,
    info: { Title: `Bilhete ${locator}`, Author: 'Alçada', CreationDate: new Date(issuedAt) },
  });
  document.registerFont('text', text).registerFont('strong', strong);
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.on('end', resolve));

  const write = (text: string, at: { x?: number; y: number; size?: number; strong?: boolean; color?: string }) => {
    const { x = MARGIN, y, size = 10, strong = false, color = INK } = at;
    const width = WIDTH - MARGIN - x;
    document
      .font(strong ? 'strong' : 'text')
      .fontSize(size)
      .fillColor(color);
    document.text(text, x, y, { width });
    return document.y;
  };
  const fact = (label: string, text: string, y: number, x = MARGIN) => {
    write(label, { x, y, size: 8, color: FAINT });
    return write(text, { x, y: y + 11, size: 11, strong: true });
  };

  for (const [place, ticketCode] of line.ticketCodes.entries()) {
    const traveller = people.travellers?.[place];
    const half = WIDTH / 2;
    await nextTurn(); // others have their turn between pages
    document.addPage();
    document.rect(0, 0, WIDTH, 8).fill(ACCENT);
    write('Alçada', { y: 28, size: 18, strong: true, color: ACCENT });
    write('Bilhete eletrônico', { y: 54, color: FAINT });
    fact('Localizador', locator, 30, half + MARGIN);
    let y = 92;
    y = write(`${line.from} – ${line.to}`, { y, size: 30, strong: true });
    y = write(citiesText(line), { y, size: 13 });
    y = write(`Voo ${line.flightNumber}, tarifa ${line.fareName}`, { y: y + 2, size: 12 });
    y = write(journeyText(line), { y: y + 2, size: 10, color: FAINT });
    y = fact('Passageiro', traveller ? fullName(traveller) : unnamed(place, line), y + 18);
    y = fact('Bilhete', ticketCode, y + 10);
    document
      .moveTo(MARGIN, y + 16)
      .lineTo(WIDTH - MARGIN, y + 16)
      .dash(2, { space: 3 })
      .stroke(FAINT)
      .undash();
    y += 32;
    const code = qrcode(0, 'M');
    code.addData(`${siteUrl}/verificar#${ticketCode}`);
    code.make();
    drawQr(document, code, y);
    const beside = MARGIN + QR + 20;
    let below = fact('Preço por passageiro', moneyText(line.unitPrice), y, beside);
    below = fact('Emitido em', instantText(issuedAt), below + 8, beside);
    below = fact('Recibo', receiptId, below + 8, beside);
    const address = siteUrl.replace(/^https?:\/\//, '');
    write(`Para conferir a prova deste pagamento, leia o código ou abra ${address}/verificar. ${note}`, {
      y: Math.max(y + QR, below) + 20,
      size: 8,
      color: FAINT,
    });
  }
  document.end();
  await ended;
  return Buffer.concat(chunks);
};

/** A passenger without a name; an old order has one ticket for all of them. */
const unnamed = (place: number, { passengers, ticketCodes }: ReceiptView['line']): string =>
  ticketCodes.length > 1
    ? `${place + 1} de ${passengers}`
    : passengers === 1
      ? 'não informado'
      : `${passengers} pessoas`;

/** The ticket of a paid order, as `reader` may see it: names are read by the agent that gave them, and by the traveller through it. */
export const ticketOf = async (
  { locators, travellers }: Orders,
  order: PaidOrder,
  { reader, urls }: { readonly reader: Party; readonly urls: BaseUrls },
): Promise<Buffer> => {
  const { orderId: id, named } = order.checkout;
  const people = await travellers.of({ id, named }, reader);
  return ticketPdf({ receipt: receiptView(order, locators), people, siteUrl: urls.site });
};

const drawQr = (document: PDFKit.PDFDocument, code: ReturnType<typeof QrCode>, top: number): void => {
  const count = code.getModuleCount();
  const side = QR / count;
  for (let row = 0; row < count; row += 1)
    for (let column = 0; column < count; column += 1) {
      const from = column;
      while (column < count && code.isDark(row, column)) column += 1;
      if (column > from) document.rect(MARGIN + from * side, top + row * side, (column - from) * side, side);
    }
  document.fill(INK);
};
