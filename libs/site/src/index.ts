export { html, type Html } from './html.js';
export { page, type PageContent } from './layout.js';
export { moneyText } from './money-text.js';
export { formTarget, pageHeaders, type PagePolicy } from './page-headers.js';
export { type Page, sendPage } from './send-page.js';
export { SiteModule } from './site.module.js';
