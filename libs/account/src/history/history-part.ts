import type { Integrity } from '#audit';
import { html, type Html } from '#site';

/** "Histórico íntegro": what the record of this page rests on, and the way to take it along. `path`: where it is downloaded. */
export const historyPart = ({ isIntact, events, sealed, checkpoint }: Integrity, path: string): Html =>
  html`<section class="part" aria-labelledby="historico">
    <h2 id="historico">${isIntact ? 'Histórico íntegro' : 'Histórico com problemas'}</h2>
    ${
      isIntact
        ? html`<p>${sealedWords(events, sealed)} ${checkpoint && checkpointWords(checkpoint)}</p>`
        : html`<p class="alert">
            O histórico gravado não confere com as regras. Baixe-o, guarde-o e fale com quem opera este serviço.
          </p>`
    }
    <p class="actions on-screen">
      <a class="button quiet" href="${path}" download>Baixar o histórico</a>
      <a class="button quiet" href="/verificar">Verificar por conta própria</a>
    </p>
  </section>`;

const sealedWords = (events: number, sealed: number): string => {
  const all = events === 1 ? 'O único evento está' : `Os ${events} eventos estão`;
  if (sealed === events) return `${all} encadeados e no registro público.`.replace('está encadeados', 'está encadeado');
  return `${events === 1 ? 'O único evento está gravado' : `Os ${events} eventos estão encadeados`}; ${sealed} já no registro público, o resto entra em instantes.`;
};

const checkpointWords = ({ origin, size, root }: NonNullable<Integrity['checkpoint']>): Html =>
  html`<span class="small"
    >Ponto de controle: ${origin}, ${size.toLocaleString('pt-BR')} entradas, raiz <code>${root}</code></span
  >`;
