import { html, type Html, moneyText, type Page } from '#site';
import { part } from '../../page-parts.js';
import { type Audience, auditorPage } from '../layout/auditor-page.js';
import { MOVEMENTS, pathTo } from '../layout/return-targets.js';
import { reasonName } from '../movements/movements.page.js';
import type { MonthSums } from './month-sums.js';

const NAME = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', month: 'long', year: 'numeric' });

/** `novembro de 2026`. */
export const monthName = (month: string): string => NAME.format(new Date(`${month}-15T12:00:00.000Z`));

/** The month so many before or after. */
export const monthAfter = (month: string, months: number): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 15)).toISOString().slice(0, 7);
};

const monthPath = (month: string): string => pathTo({ kind: 'month', id: month });

interface MonthContent extends Audience {
  readonly sums: MonthSums;
}

/** A month's purchases: sums by currency, refusals by reason, and both to take away. */
export const monthPage = ({ sums, ...audience }: MonthContent): Page => {
  const { month, charged, refunded, refused } = sums;
  const row = (what: string, { sum, count }: MonthSums['charged'][number]): Html =>
    html`<tr>
      <th scope="row">${what}</th>
      <td class="number" data-name="Quantas">${count.toLocaleString('pt-BR')}</td>
      <td class="number" data-name="Soma">${moneyText(sum)}</td>
    </tr>`;
  const lines = [
    ...charged.map((one) => row('Cobrado', one)),
    ...refunded.map((one) => row('Devolvido, destas compras', one)),
    ...refused.map((one) => row(`Recusado: ${reasonName(one.reason)}`, one)),
  ];
  return auditorPage({
    ...audience,
    title: monthName(month),
    content: html`<h1>Compras de ${monthName(month)}</h1>
      <p class="lead">Pelo dia da compra, no horário de Brasília.</p>
      ${
        lines.length === 0
          ? html`<p class="outcome none">Nada foi cobrado nem recusado neste mês.</p>`
          : html`<div class="scroll" role="region" aria-label="Somas do mês" tabindex="0">
              <table class="timeline">
                <thead>
                  <tr>
                    <th scope="col">O quê</th>
                    <th scope="col" class="number">Quantas</th>
                    <th scope="col" class="number">Soma</th>
                  </tr>
                </thead>
                <tbody>
                  ${lines}
                </tbody>
              </table>
            </div>`
      }
      ${part(
        'levar',
        'Levar',
        html`<p class="actions">
            <a class="button quiet" href="${monthPath(month)}/somas.csv">Somas (CSV)</a>
            <a class="button quiet" href="${monthPath(month)}/linhas.csv">Cada cobrança e recusa (CSV)</a>
          </p>
          <p class="more"><a href="${pathTo(MOVEMENTS)}?dia=${month}">Ver cada uma aqui</a></p>`,
      )}
      <nav class="more" aria-label="Meses">
        <a rel="prev" href="${monthPath(monthAfter(month, -1))}">${monthName(monthAfter(month, -1))}</a> ·
        <a rel="next" href="${monthPath(monthAfter(month, 1))}">${monthName(monthAfter(month, 1))}</a>
      </nav>`,
  });
};
