import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/server';
import { readBooking } from '#booking';
import { asDomainError, type BaseUrls, docUrl, ERROR_CATALOGUE } from '#http';
import { type Caller, covers, DomainError, type ErrorCode, type Party, type Scope } from '#kernel';
import { mandateView, readMandate } from '#mandate';
import { readOrder, receiptView } from '#order';
import { TICKET_WEIGHT, ticketCalendar, ticketOf } from '#portal';
import { moneyText } from '#site';
import type { Readers } from '../tool.js';

export interface Listing {
  readonly readers: Readers;
  readonly urls: BaseUrls;
  /** Notes a failure, and returns what may be shown of it. */
  readonly refused: (error: DomainError) => void;
}

/** What a resource is read by: the traveller's id comes from the token, and never from the address. */
interface Reading extends Pick<Listing, 'readers' | 'urls'> {
  readonly caller: Party;
}

interface Page {
  readonly resources: readonly Resource[];
  readonly nextCursor: string | null;
}

/** A kind of thing that can be read by its id: what a token must allow for it, and the reads it stands for. */
interface Kind {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly scopes: readonly [Scope];
  /** A view as JSON, or a document of `mimeType`. @throws DomainError */
  readonly read: (id: string, by: Reading) => Promise<object | Buffer | string>;
  /** As how much reading one counts; absent: as a message does. */
  readonly weight?: number;
  /** Absent: JSON. */
  readonly mimeType?: string;
  /** Absent: each stands beside what it belongs to. @throws DomainError */
  readonly list?: (by: Reading, page: { limit: number; cursor: string | undefined }) => Promise<Page>;
}

const [TYPE, PDF, CALENDAR] = ['application/json', 'application/pdf', 'text/calendar'];

const KINDS: readonly Kind[] = [
  {
    path: 'bookings',
    title: 'Reserva',
    description: 'Uma reserva do viajante: voo, tarifa, passageiros e total.',
    scopes: ['booking:write'],
    read: (id, { caller, readers: { bookings } }) => readBooking(bookings, id, caller),
    list: async ({ caller: { holder }, readers: { bookings } }, page) => {
      const { items, nextCursor } = await bookings.list(holder, page);
      const resources = items.map(({ bookingId, flightNumber, total }) => {
        const flight = flightNumber === null ? '' : ` do voo ${flightNumber}`;
        return listed('bookings', bookingId, `Reserva${flight}, ${moneyText(total)}`);
      });
      return { resources, nextCursor };
    },
  },
  {
    path: 'mandates',
    title: 'Mandato',
    description: 'Um mandato de pagamento do viajante: teto, quanto já foi cobrado, validade e situação.',
    scopes: ['mandate:create'],
    read: (id, { caller, readers: { mandates }, urls }) => readMandate(mandates, id, caller, urls),
    list: async ({ caller: { holder }, readers: { mandates }, urls }, page) => {
      const { items, nextCursor, at } = await mandates.list(holder, undefined, page);
      const resources = items.map((mandate) => {
        const { id, limit } = mandateView({ mandate, at }, urls);
        return listed('mandates', id, `Mandato de até ${moneyText(limit)}`);
      });
      return { resources, nextCursor };
    },
  },
  {
    path: 'orders',
    title: 'Pedido',
    description: 'Um pedido do viajante: situação, voo, total e bilhete.',
    scopes: ['receipt:read'],
    read: (id, { caller, readers: { orders }, urls }) => readOrder(orders, id, caller, urls),
    list: async ({ caller: { holder }, readers: { orders } }, page) => {
      const { items, nextCursor } = await orders.list(holder, undefined, page);
      const resources = items.flatMap((order) => {
        const { flightNumber, departureDate } = order.checkout.line;
        const itself = listed('orders', order.id, `Pedido do voo ${flightNumber}`);
        if (order.kind !== 'paid') return [itself];
        const of = (path: string, title: string, mimeType = TYPE): Resource => ({
          ...listed(path, order.id, `${title} do voo ${flightNumber}`),
          mimeType,
        });
        const documents = [of('receipts', 'Recibo'), of('tickets', 'Bilhete', PDF)];
        return [itself, ...documents, ...(departureDate === null ? [] : [of('calendars', 'Calendário', CALENDAR)])];
      });
      return { resources, nextCursor };
    },
  },
  {
    path: 'receipts',
    title: 'Recibo',
    description: 'O recibo de um pedido pago, pelo id do pedido.',
    scopes: ['receipt:read'],
    read: async (id, { caller: { holder }, readers: { orders } }) =>
      receiptView(await orders.charged(id, holder), orders.locators),
  },
  {
    path: 'tickets',
    title: 'Bilhete',
    description: 'O bilhete de um pedido pago em PDF, uma página por passageiro, pelo id do pedido.',
    scopes: ['receipt:read'],
    weight: TICKET_WEIGHT,
    mimeType: PDF,
    read: async (id, { caller, readers: { orders }, urls }) =>
      ticketOf(orders, await orders.paid(id, caller.holder), { reader: caller, urls }),
  },
  {
    path: 'calendars',
    title: 'Voo no calendário',
    description: 'O voo de um pedido pago como evento de calendário (iCalendar), pelo id do pedido; só se tem data.',
    scopes: ['receipt:read'],
    mimeType: CALENDAR,
    read: async (id, { caller: { holder }, readers: { orders } }) =>
      ticketCalendar(orders, await orders.paid(id, holder)),
  },
];

const ADDRESS = /^alcada:\/\/([a-z]+)\/([0-9a-f-]{36})$/;

const uriOf = (path: string, id: string): string => `alcada://${path}/${id}`;

/** The templates as MCP lists them, each with what a token must allow for it. */
export const TEMPLATES = KINDS.map(({ path, title, description, scopes, mimeType = TYPE }) => ({
  scopes,
  template: { name: path, title, description, uriTemplate: uriOf(path, '{id}'), mimeType },
}));

/** The kind of an address as it was sent; undefined where there is none. */
export const templateOf = (uri: unknown): Kind | undefined => addressIn(uri)?.kind;

const addressIn = (uri: unknown): { readonly kind: Kind; readonly id: string } | undefined => {
  const [, path, id = ''] = (typeof uri === 'string' && ADDRESS.exec(uri)) || [];
  const kind = KINDS.find((one) => one.path === path);
  return kind && { kind, id };
};

/** The answer to a name of nothing of this traveller's; it does not show whether somebody else has it. */
const HIDDEN: readonly ErrorCode[] = [
  'booking_not_found',
  'mandate_not_found',
  'mandate_forbidden',
  'order_not_found',
  'ticket_not_found',
];

/** One resource, for whom `caller` acts for. @throws ProtocolError `InvalidParams` where there is none for them */
export const readResource = async (
  caller: Caller | null,
  uri: string,
  { readers, urls, refused }: Listing,
): Promise<ReadResourceResult> => {
  const { kind, id } = addressIn(uri) ?? {};
  if (!kind || id === undefined || !caller || !covers(caller.scopes, kind.scopes)) throw notFound(uri);
  try {
    const view = await kind.read(id, { caller, readers, urls });
    const content = Buffer.isBuffer(view)
      ? { blob: view.toString('base64') }
      : { text: typeof view === 'string' ? view : JSON.stringify(view) };
    return { contents: [{ uri, mimeType: kind.mimeType ?? TYPE, ...content }] };
  } catch (error) {
    throw protocolError(error, uri, { urls, refused });
  }
};

const notFound = (uri: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'Recurso não encontrado.', { uri });

/** A failure as the catalogue has it, once it was noted: nothing internal is in it. */
export const protocolError = (
  error: unknown,
  uri: string | undefined,
  { urls, refused }: Pick<Listing, 'urls' | 'refused'>,
): ProtocolError => {
  const refusal = asDomainError(error);
  refused(refusal);
  if (uri !== undefined && HIDDEN.includes(refusal.code)) return notFound(uri);
  const { status, message } = ERROR_CATALOGUE[refusal.code];
  const code = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, message, { error: refusal.code, status, doc_url: docUrl(refusal.code, urls) });
};

const listed = (path: string, id: string, title: string): Resource => ({
  uri: uriOf(path, id),
  name: `${path}/${id}`,
  title,
  mimeType: TYPE,
});

const PAGE_SIZE = 100;

/** A page of the resources that a token allows. @throws ProtocolError `InvalidParams` for a foreign cursor */
export const listResources = async (
  caller: Caller | null,
  cursor: string | undefined,
  { readers, urls, refused }: Listing,
): Promise<ListResourcesResult> => {
  const lists = KINDS.filter(({ scopes, list }) => list && caller && covers(caller.scopes, scopes));
  const [path, after] = cursor?.split(':', 2) ?? [lists[0]?.path];
  const place = lists.findIndex((kind) => kind.path === path);
  const kind = lists[place];
  try {
    if (!caller || !kind?.list) {
      if (cursor === undefined) return { resources: [] };
      throw new DomainError('invalid_cursor');
    }
    const page = { limit: PAGE_SIZE, cursor: after === '' ? undefined : after };
    const { resources, nextCursor } = await kind.list({ caller, readers, urls }, page);
    const next = nextCursor === null ? lists[place + 1] : kind;
    return { resources: [...resources], ...(next && { nextCursor: `${next.path}:${nextCursor ?? ''}` }) };
  } catch (error) {
    throw protocolError(error, undefined, { urls, refused });
  }
};
