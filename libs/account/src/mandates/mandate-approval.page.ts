import type { BaseUrls } from '#http';
import { hiddenFields, type Session } from '#identity';
import type { Instant } from '#kernel';
import type { GrantedMandate } from '#mandate';
import { type MandateEntry, mandateFields } from '#oauth';
import { html, type Html, type Page } from '#site';
import { timeLeft } from '../challenge/challenge.page.js';
import { accountPage, timeOf } from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';

/** What the page shows on which a traveller decides on a mandate that an agent asked for. */
export interface MandateApproval {
  readonly mandate: GrantedMandate;
  readonly agent: AgentName;
  readonly session: Session;
  readonly now: Instant;
  readonly urls: BaseUrls;
  /** What was written and cannot be granted, and why; null: nothing is wrong. */
  readonly wrong: { readonly entry: MandateEntry; readonly problem: Html } | null;
}

/** The decision as what a form is about and a login leads to. */
export const toMandateApproval = (id: string): ReturnTarget => ({ kind: 'mandate_approval', id });

/** "Permitir este mandato?": which agent asks, up to how much, for how long and for which flights. */
export const mandateApprovalPage = ({ mandate, agent, session, now, urls, wrong }: MandateApproval): Page => {
  const { mandateId, expiresAt } = mandate;
  const to = toMandateApproval(mandateId);
  return accountPage({
    status: wrong ? 422 : 200,
    title: wrong ? 'Limite inválido' : 'Permitir este mandato?',
    session,
    urls,
    content: html`<h1>Permitir este mandato?</h1>
      <p class="lead">
        <strong>${agent.name}</strong> ${pilotBadge(agent)} pede para gastar em seu nome. Nada é cobrado antes da sua
        decisão, e depois só até o limite que você definir.
      </p>
      ${wrong ? wrong.problem : null}
      <form method="post" action="${pathTo(to)}">
        ${hiddenFields(session.id, to)} ${mandateFields([mandate], wrong ? [wrong.entry] : null)}
        <div class="choices">
          <button type="submit" name="decision" value="approve">Permitir</button>
          <button class="quiet" type="submit" name="decision" value="deny">Recusar</button>
        </div>
      </form>
      <p class="small note">Para decidir, restam ${timeLeft(now, expiresAt)}, até ${timeOf(expiresAt)}.</p>`,
  });
};
