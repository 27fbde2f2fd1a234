export { conditionsSummary, conditionsText, conditionsView } from './conditions-text.js';
export { baggageText, dateText, dayText, durationText } from './flight-texts.js';
export {
  amountEntry,
  amountIn,
  clockText,
  currencySign,
  instantText,
  moneyText,
  monthText,
  shortDayText,
  shortInstantText,
  soonText,
  ZONE_NOTE,
} from './texts.js';
export {
  type Asset,
  asset,
  assetLink,
  AT_MOST_SCRIPT,
  COPY_SCRIPT,
  PAGE_SCRIPT,
  scriptAt,
  versionOf,
} from './assets.js';
export { escaped, fact, html, type Html, nextLink, type Place, trail } from './html.js';
export {
  GUIDE_PATHS,
  inBoth,
  type InBoth,
  inLanguage,
  type Language,
  OTHER_LANGUAGE,
  page,
  publicPage,
  type PublicPageContent,
} from './layout.js';
export { AnswersPages, formTarget, type Page, pageHeaders, type SeeOther, sendPage } from './page.js';
export { SiteModule } from './site.module.js';
