import type { AuditPage } from '#events';
import type { Parameters } from '#identity';

const PATHS: Readonly<Record<AuditPage, (id: string) => string>> = {
  home: () => '/auditoria',
  search: () => '/auditoria',
  address: () => '/auditoria',
  movements: () => '/auditoria/movimentos',
  month: (id) => `/auditoria/meses/${encodeURIComponent(id.slice(0, 7))}`,
  traveller: (id) => `/auditoria/viajantes/${encodeURIComponent(id)}`,
  agent: (id) => `/auditoria/agentes/${encodeURIComponent(id)}`,
  mandate: (id) => `/auditoria/mandatos/${encodeURIComponent(id)}`,
  order: (id) => `/auditoria/pedidos/${encodeURIComponent(id)}`,
  booking: (id) => `/auditoria/reservas/${encodeURIComponent(id)}`,
};

/** What an auditor's page is about, and what a login there leads to. */
export interface AuditTarget {
  readonly kind: AuditPage;
  /** Id of what the page is about; of the first page and the search, which are about nothing in particular, their kind. */
  readonly id: string;
}

export const HOME: AuditTarget = { kind: 'home', id: 'home' };
export const SEARCH: AuditTarget = { kind: 'search', id: 'search' };
export const MOVEMENTS: AuditTarget = { kind: 'movements', id: 'movements' };

export const pathTo = ({ kind, id }: AuditTarget): string => PATHS[kind](id);

/** The page that a login form names, by a field whose name is its kind; no address is ever taken from a request. */
export const targetIn = (fields: Parameters): AuditTarget => {
  for (const kind of Object.keys(PATHS) as AuditPage[]) {
    const id = fields.optional(kind);
    if (id !== undefined) return { kind, id };
  }
  return HOME;
};

/** One event of a mandate's life, the first being 1. */
export const stepPath = (mandateId: string, number: number): string =>
  `${pathTo({ kind: 'mandate', id: mandateId })}?evento=${number}`;
