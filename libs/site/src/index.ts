export { asset, assetLink } from './assets.js';
export { html, type Html } from './html.js';
export { instantText } from './instant-text.js';
export { page, type PageContent } from './layout.js';
export { moneyText } from './money-text.js';
export { formTarget, pageHeaders, type PagePolicy } from './page-headers.js';
export { sendAsset } from './send-asset.js';
export { type Page, sendPage } from './send-page.js';
export { SiteModule } from './site.module.js';
