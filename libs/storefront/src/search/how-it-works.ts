import { html } from '#site';

/** What an agent may do and what keeps it there, in three steps. */
export const howItWorks = html`<section class="within band" aria-labelledby="como-titulo">
  <h2 id="como-titulo">Como funciona</h2>
  <ol class="ways" role="list">
    <li>
      <h3>Você autoriza</h3>
      <p>Na página de autorização você vê o que o agente pede e, se quiser, limita quanto ele pode gastar ao todo.</p>
    </li>
    <li>
      <h3>O agente escolhe e reserva</h3>
      <p>
        Ele compara tarifas no orçamento, cria a reserva e abre um mandato: um teto de valor, com prazo para acabar.
      </p>
    </li>
    <li>
      <h3>O mandato decide</h3>
      <p>
        Toda cobrança passa pelo mandato antes de chegar ao cartão. Acima do teto, nada é cobrado. Revogar vale na hora.
      </p>
    </li>
  </ol>
</section>`;
