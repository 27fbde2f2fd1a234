import type { ReceiptView } from '#order';
import { html, type Html } from '#site';
import { journeyText } from '../challenge/journey-text.js';

/** The ticket: what to show at the airport. */
export const ticketOf = ({ line }: ReceiptView): Html =>
  html`<section class="ticket" aria-labelledby="bilhete">
    <h2 id="bilhete">Voo ${line.flightNumber}</h2>
    <p class="route">
      <span>${line.from}</span><span aria-hidden="true">→</span><span class="visually-hidden">para</span
      ><span>${line.to}</span>
    </p>
    <p>${journeyText(line)}</p>
    <dl class="stubs">
      <div>
        <dt>Bilhete</dt>
        <dd>${line.ticketCode}</dd>
      </div>
      <div>
        <dt>Tarifa</dt>
        <dd>${line.fareName}</dd>
      </div>
      <div>
        <dt>Passageiros</dt>
        <dd>${line.passengers}</dd>
      </div>
    </dl>
  </section>`;
