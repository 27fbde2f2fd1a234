import { html } from './html.js';

/** The service's sign beside its name. */
export const BRAND = html`<svg
    class="mark"
    viewBox="0 0 32 32"
    width="28"
    height="28"
    aria-hidden="true"
    focusable="false"
  >
    <path d="M4 6h24" />
    <path d="M8 26v-7M16 26V15M24 26V11" /></svg
  >Alçada`;
