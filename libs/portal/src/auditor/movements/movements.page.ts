import { cityNamed } from '#catalog';
import { ERROR_CATALOGUE } from '#http';
import type { ErrorCode } from '#kernel';
import { html, type Html, moneyText, nextLink, type Page, shortInstantText, ZONE_NOTE } from '#site';
import { cardText, part } from '../../page-parts.js';
import { type Audience, auditorPage } from '../layout/auditor-page.js';
import { MOVEMENTS, pathTo, stepPath } from '../layout/return-targets.js';
import { rows } from '../lists/lists.pages.js';
import { entriesOf, type Field, type Filters, queryOf } from './filters.js';
import { LOOKED_AT, type Movement, type MovementsPage } from './movements.js';

/** What agents are called, by their ids; of one that is absent the id is shown. */
export type Names = ReadonlyMap<string, string>;

/** A charge or a refusal: what for, by whom and when, leading to why. */
export const movementRow = (one: Movement, names: Names): Html => {
  const { kind, amount, refund, reason, flight, departs, card, clientId, at } = one;
  const isCharge = kind === 'paid' || kind === 'cancelled';
  const facts = [
    flight && `${cityNamed(flight.from)} → ${cityNamed(flight.to)}, ${flight.number}`,
    departs && `voo em ${departs.split('-').reverse().join('/')}`,
    card && cardText(card),
    clientId !== null && (names.get(clientId) ?? clientId),
  ].filter((fact): fact is string => typeof fact === 'string' && fact !== '');
  return html`<p class="row-head">
      <a href="${pathOf(one)}">${moneyText(amount)} ${isCharge ? 'cobrados' : 'recusados'}</a>
      <span class="${isCharge ? 'mark-on' : 'mark-warn'}">${KIND_WORDS[kind]}</span>
    </p>
    <p class="small">
      <time datetime="${at}">${shortInstantText(at)}</time>${facts.map((fact) => html` · ${fact}`)}
      ${reason !== null && html`<br />${ERROR_CATALOGUE[reason].message}`}
      ${refund !== null && html`<br />${moneyText(refund)} devolvidos`}
    </p>`;
};

const KIND_WORDS: Readonly<Record<Movement['kind'], string>> = {
  paid: 'pago',
  cancelled: 'cancelado',
  failed: 'não concluído',
  refused: 'recusa do mandato',
};

const pathOf = ({ orderId, mandateId, step }: Movement): string =>
  orderId === null ? stepPath(mandateId, step ?? 1) : pathTo({ kind: 'order', id: orderId });

interface MovementsContent extends Audience {
  readonly filters: Filters;
  readonly found: MovementsPage;
  readonly names: Names;
}

/** "Cobranças e recusas": the newest of everybody, as far as the filters ask for them. */
export const movementsPage = ({ filters, found, names, ...audience }: MovementsContent): Page =>
  auditorPage({
    ...audience,
    title: 'Cobranças e recusas',
    content: html`<h1>Cobranças e recusas</h1>
      ${filterForm(filters)}
      ${part(
        'movimentos',
        'As mais novas primeiro',
        html`<p class="small">${ZONE_NOTE}</p>
          ${rows(
            found.items.map((one) => movementRow(one, names)),
            found.next === null ? 'Nenhuma é assim.' : 'Nenhuma é assim entre as mais novas.',
          )}
          ${
            found.looked >= LOOKED_AT &&
            html`<p class="small">
              Foram olhadas as ${LOOKED_AT.toLocaleString('pt-BR')} mais novas; “Ver mais antigas” continua de onde
              parou.
            </p>`
          }
          ${moreLink(filters, found.next)}`,
      )}`,
  });

const moreLink = (filters: Filters, next: string | null): Html | false => {
  const query = queryOf(filters);
  const [path, ...parameter] = query === '' ? [pathTo(MOVEMENTS)] : [`${pathTo(MOVEMENTS)}?${query}&`, ''];
  return parameter.length === 0
    ? nextLink(path, next, 'Ver mais antigas', 'antes')
    : next !== null &&
        html`<p class="more"><a rel="next" href="${path}antes=${encodeURIComponent(next)}">Ver mais antigas</a></p>`;
};

/** Why charges are refused, as far as an order or a mandate says. */
const REASONS = [
  ['mandate_limit_exceeded', 'Acima do disponível'],
  ['mandate_constraint_violated', 'Fora das condições'],
  ['mandate_paused', 'Mandato em pausa'],
  ['mandate_revoked', 'Mandato revogado'],
  ['mandate_expired', 'Mandato encerrado por prazo'],
  ['mandate_scope_insufficient', 'Escopo insuficiente'],
  ['payment_declined', 'Cartão recusado'],
  ['payment_insufficient_funds', 'Cartão sem saldo'],
  ['payment_card_expired', 'Cartão vencido'],
  ['payment_challenge_failed', 'Não confirmada pelo viajante'],
  ['payment_not_completed', 'Confirmada, e não concluída'],
  ['seats_unavailable', 'Sem assentos'],
] as const satisfies readonly (readonly [ErrorCode, string])[];

/** Why charges are refused, in the middle of a line; one that no filter names as the interface says it. */
export const reasonName = (reason: ErrorCode): string => {
  const [, name = ERROR_CATALOGUE[reason].message] = REASONS.find(([code]) => code === reason) ?? [];
  return `${name.charAt(0).toLocaleLowerCase('pt-BR')}${name.slice(1)}`;
};

const filterForm = (filters: Filters): Html => {
  const entries = entriesOf(filters);
  const input = (field: Field, label: string, type = 'text', hint = ''): Html =>
    html`<div class="field">
      <label for="${field}">${label}</label>
      <input
        id="${field}"
        name="${field}"
        type="${type}"
        value="${entries[field]}"
        autocomplete="off"
        placeholder="${hint}"
      />
    </div>`;
  const select = (field: Field, label: string, options: readonly (readonly [string, string])[]): Html =>
    html`<div class="field">
      <label for="${field}">${label}</label>
      <select id="${field}" name="${field}">
        ${options.map(([value, text]) => html`<option value="${value}" ${value === entries[field] && html`selected`}>${text}</option>`)}
      </select>
    </div>`;
  return html`<form method="get" action="${pathTo(MOVEMENTS)}" class="filters">
    <div class="fields">
      ${select('tipo', 'O quê', [
        ['', 'Cobranças e recusas'],
        ['cobrancas', 'Só cobranças'],
        ['recusas', 'Só recusas'],
      ])}
      ${select('motivo', 'Motivo da recusa', [['', 'Qualquer'], ...REASONS])}
      ${input('valor', 'Valor', 'text', '619,90')} ${input('dia', 'Dia da compra', 'date')}
      ${input('final', 'Final do cartão', 'text', '4242')} ${input('voo', 'Voo', 'text', 'AL4011')}
      ${input('data', 'Data do voo', 'date')} ${input('agente', 'Identificador do agente')}
    </div>
    <button type="submit">Filtrar</button>
  </form>`;
};
