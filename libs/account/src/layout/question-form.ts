import { hiddenFields, type Session } from '#identity';
import { html, type Html } from '#site';
import { pathTo, type ReturnTarget } from './return-targets.js';

/** The form of a page that asks before something is ended: a button that does it, and a way back that does not. */
export interface Question {
  readonly session: Session;
  /** What the form is about. */
  readonly to: ReturnTarget;
  /** Where it goes; absent: to the page of what it is about. */
  readonly action?: string;
  /** Further fields. */
  readonly fields?: Html;
  readonly does: string;
  readonly back: { readonly path: string; readonly text: string };
}

export const questionForm = ({ session, to, action = pathTo(to), fields, does, back }: Question): Html =>
  html`<form method="post" action="${action}">
    ${hiddenFields(session.id, to)} ${fields ?? null}
    <div class="choices">
      <button class="danger" type="submit">${does}</button>
      <a class="button quiet" href="${back.path}">${back.text}</a>
    </div>
  </form>`;
