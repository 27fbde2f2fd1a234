import { money } from '#kernel';
import { html, type Html, moneyText } from '#site';

const reais = (cents: number): string => moneyText(money(cents, 'BRL'));

/** The idea at a glance: a mandate, what it paid for, and what it refused. Its bar is as long as the amounts say (styles/public.css). */
export const EXAMPLE_MANDATE: Html = html`<figure class="example" aria-labelledby="exemplo-titulo">
  <figcaption id="exemplo-titulo">Um mandato, por exemplo</figcaption>
  <p class="purpose">Congresso em Recife <span class="mark-on">válido por 2 h</span></p>
  <p class="sum">${reais(1_500_00)} <span class="small">de teto</span></p>
  <p class="bar" aria-hidden="true"><span></span></p>
  <p class="rest small"><span>${reais(579_90)} usados</span> <span>restam ${reais(920_10)}</span></p>
  <ul role="list">
    <li class="paid">
      <span>São Paulo → Recife</span> <strong class="whole">${reais(579_90)}</strong>
      <span class="small">Pago, bilhete emitido</span>
    </li>
    <li class="refused">
      <span>São Paulo → Lisboa</span> <strong class="whole">${reais(3_249_90)}</strong>
      <span class="small">Recusado: passa do teto. Nada foi cobrado.</span>
    </li>
  </ul>
</figure>`;
