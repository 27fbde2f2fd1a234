import { html, type Html } from '#site';
import { NOTICE_WORDS, type NoticeType } from './notice-types.js';
import type { Mail } from './smtp.js';

/** Where the notices are, below the site's address. */
export const NOTICES_PATH = '/conta/avisos';

export interface MailContent {
  readonly type: NoticeType;
  /** The notice that it leads to. */
  readonly id: string;
  /** How many notices it is about. */
  readonly count: number;
  readonly to: string;
  readonly siteUrl: string;
}

/** The mail about some notices of one matter. A mail server learns that there is something, never what, how much or about whom. */
export const noticeMail = ({ type, id, count, to, siteUrl }: MailContent): Mail => {
  const { title, text, action } = NOTICE_WORDS[type];
  const list = `${siteUrl}${NOTICES_PATH}`;
  const [target, does] = count === 1 ? [`${list}/${id}`, action] : [list, 'Ver os avisos'];
  const more = count === 1 ? [] : [`São ${count} avisos sobre isto, todos na sua conta.`];
  const { host } = new URL(siteUrl);
  const asks = `O endereço abre ${host} e pede que você entre. Este e-mail não traz valores nem nomes, e ninguém pede a sua senha em resposta a ele.`;
  const off = 'Para não receber mais avisos por e-mail, desligue-os em:';
  const lines = [title, '', text, ...more, '', `${does}:`, target, '', asks, '', off, list];
  return {
    id,
    to,
    subject: title,
    text: `${lines.join('\n')}\n`,
    html: layout(
      title,
      html`<h1 style="margin:0 0 12px;font-size:20px;line-height:1.3">${title}</h1>
        <p style="margin:0 0 20px">${[text, ...more].join(' ')}</p>
        <p style="margin:0 0 24px">
          <a
            href="${target}"
            style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0d5f57;color:#ffffff;font-weight:600;text-decoration:none"
            >${does}</a
          >
        </p>
        <p style="margin:0 0 12px;font-size:14px;color:#4c5a57">${asks}</p>
        <p style="margin:0;font-size:14px;color:#4c5a57">
          ${off} <a href="${list}" style="color:#0d5f57">${list}</a>
        </p>`,
    ),
  };
};

/** A mail that shows an operator that mails arrive. */
export const testMail = (id: string, to: string, siteUrl: string): Mail => {
  const title = 'Teste de e-mail da Alçada';
  const text = `Este e-mail mostra que os avisos de ${new URL(siteUrl).host} chegam até aqui.`;
  return { id, to, subject: title, text: `${text}\n`, html: layout(title, html`<p style="margin:0">${text}</p>`) };
};

/** Styles stand in the elements, since many programs for mail drop all others. Nothing is loaded from anywhere. */
const layout = (title: string, content: Html): string =>
  html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
      </head>
      <body
        style="margin:0;padding:24px 12px;background:#f2f5f4;color:#16211f;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
      >
        <div style="max-width:520px;margin:0 auto;padding:28px 24px;border-radius:12px;background:#ffffff">
          <p style="margin:0 0 20px;font-weight:700;color:#0d5f57">Alçada</p>
          ${content}
        </div>
      </body>
    </html> `.text;
