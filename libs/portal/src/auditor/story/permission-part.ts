import type { StoredEvent } from '#event-store';
import { html, type Html, ZONE_NOTE } from '#site';
import { part } from '../../page-parts.js';
import { type Condition, mandateConditions, type Moment, orderConditions } from './permission.js';

/** Why a purchase was allowed, or was not: each condition of its moment with a mark, leading to the event that says so. */
export const permissionPart = (moment: Moment | null, events: readonly StoredEvent[]): Html => {
  const conditions = [...(moment ? mandateConditions(moment) : []), ...orderConditions(events)];
  const broken = conditions.filter(({ holds }) => !holds);
  return part(
    'permissao',
    headingOf(events),
    html`${!moment && html`<p class="outcome none">O mandato não chegou a decidir sobre este pedido.</p>`}
      <ul class="checks" role="list">
        ${conditions.map(conditionLine)}
      </ul>
      <p class="small">
        Recalculado agora, do registro, com o mandato como estava naquele momento. ${ZONE_NOTE}
        ${broken.length > 0 && html`Não valeu: ${broken.map(({ name }) => name.toLocaleLowerCase('pt-BR')).join(', ')}.`}
      </p>`,
  );
};

const headingOf = (events: readonly StoredEvent[]): string => {
  if (events.some(({ type }) => type === 'OrderPaid')) return 'Por que a cobrança foi permitida';
  return events.some(({ type }) => type === 'OrderFailed')
    ? 'Por que a cobrança foi recusada'
    : 'O que já foi conferido';
};

const conditionLine = ({ name, holds, text, path }: Condition): Html =>
  html`<li class="${holds ? 'held' : 'broken'}">
    <p>
      <a href="${path}">${name}</a><span class="visually-hidden"> (${holds ? 'valia' : 'não valia'})</span>
      <span class="small">${text}</span>
    </p>
  </li>`;
