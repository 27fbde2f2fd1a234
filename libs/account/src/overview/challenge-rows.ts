import type { Instant } from '#kernel';
import type { ChallengeDetails } from '#order';
import { html, type Html, moneyText } from '#site';
import { timeLeft } from '../challenge/time-left.js';
import { toChallenge } from '../challenge/challenge.page.js';
import type { AgentName } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';

/** Payments that wait for the traveller, as a list that leads to each. */
export const challengeRows = (
  challenges: readonly ChallengeDetails[],
  nameOf: (clientId: string) => AgentName,
  now: Instant,
): Html =>
  html`<ul class="rows urgent" role="list">
    ${challenges.map(({ orderId, clientId, line, total, expiresAt }) => {
      const { name } = nameOf(clientId);
      return html`<li>
        <p class="row-head">
          <a href="${pathTo(toChallenge(orderId))}">Decidir: ${moneyText(total)}</a>
          <span class="mark-warn">restam ${timeLeft(now, expiresAt)}</span>
        </p>
        <p class="small">${name} · ${line.description}</p>
      </li>`;
    })}
  </ul>`;
