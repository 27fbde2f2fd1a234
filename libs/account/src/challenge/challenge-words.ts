import { html, type Html, instantText, moneyText } from '#site';
import type { ChallengeDetails } from '#order';

/** What a page says of a challenge, in the state it is in. */
export interface Words {
  readonly title: string;
  readonly text: Html;
  /** A question, or what came of it. */
  readonly kind: 'lead' | 'outcome' | 'outcome none';
}

/** The card as people call it. */
export const cardText = ({ brand, last4 }: Pick<ChallengeDetails, 'brand' | 'last4'>): string =>
  `${BRANDS[brand] ?? 'Cartão'} final ${last4}`;

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
};

/** How a challenge stands; each state has words of its own. */
export const wordsFor = (challenge: ChallengeDetails, agent: string): Words => {
  const { status, total, expiresAt } = challenge;
  switch (status) {
    case 'waiting':
      return {
        title: 'Aprovar este pagamento?',
        text: html`<strong>${agent}</strong> quer comprar esta passagem em seu nome. Nada é cobrado antes da sua
          aprovação.`,
        kind: 'lead',
      };
    case 'approved':
      return {
        title: 'Pagamento aprovado',
        text: html`Você aprovou. Nada foi cobrado ainda: <strong>${agent}</strong> pode concluir a compra no prazo
          abaixo. Esta decisão não muda mais.`,
        kind: 'outcome',
      };
    case 'paid':
      return {
        title: 'Compra concluída',
        text: html`Você aprovou, e <strong>${agent}</strong> concluiu a compra: ${moneyText(total)} foram cobrados e o
          bilhete foi emitido.`,
        kind: 'outcome',
      };
    case 'denied':
      return {
        title: 'Pagamento recusado',
        text: html`Você recusou. Nada foi cobrado, e o valor voltou a ficar livre no mandato. Esta decisão não muda
        mais.`,
        kind: 'outcome none',
      };
    case 'expired':
      return {
        title: 'O prazo acabou',
        text: html`A compra não foi concluída até ${instantText(expiresAt)}. Nada foi cobrado, e o valor volta a ficar
        livre no mandato.`,
        kind: 'outcome none',
      };
    case 'failed':
      return {
        title: 'Compra não concluída',
        text: html`O mandato desta compra foi revogado ou venceu antes que ela terminasse. Nada foi cobrado.`,
        kind: 'outcome none',
      };
  }
};
