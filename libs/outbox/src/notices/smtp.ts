import { lazily } from '#kernel';
import { z } from 'zod';

/** Where mails go out. `url` may hold credentials. */
export interface SmtpSettings {
  readonly url: string;
  /** The address that they are from. */
  readonly from: string;
}

/** Whether mails go out. A value; the class is its own injection token. */
export abstract class MailSettings {
  /** Null: none do. */
  abstract readonly smtp: SmtpSettings | null;
}

export interface Mail {
  /** Which mail it is: one that is sent again has the same, so that programs for mail show it once. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** How long (ms) a server may take to be there, to greet, and between two answers. */
const [CONNECTING, SILENT] = [10_000, 20_000];

/** A mail was not taken. It says nothing of what the server answered, which may repeat whom it was for. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';

  /** `server`: no mail goes out now; `later`: this one does not; `final`: this one never will. */
  constructor(
    readonly extent: 'server' | 'later' | 'final',
    code: string,
  ) {
    super(`the mail server (SMTP_URL) did not take a mail: ${code}`);
  }
}

/** The mail server of the configuration. */
export class Smtp {
  private readonly transport;

  constructor(private readonly settings: SmtpSettings) {
    const { hostname } = new URL(settings.url);
    const isHere = /^(127(\.\d+){3}|localhost|\[::1\])$/.test(hostname);
    const domain = settings.from.slice(settings.from.lastIndexOf('@') + 1);
    const options = {
      url: settings.url,
      name: domain,
      requireTLS: !isHere,
      connectionTimeout: CONNECTING,
      greetingTimeout: CONNECTING,
      socketTimeout: SILENT,
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    // Loaded where mails are sent.
    this.transport = lazily(async () => (await import('nodemailer')).createTransport(options));
  }

  /** Whether the server is there, and takes the credentials. @throws MailFailure */
  async check(): Promise<void> {
    const transport = await this.transport();
    await transport.verify().catch(fail);
  }

  /** @throws MailFailure */
  async send({ id, to, subject, text, html }: Mail): Promise<void> {
    const { from } = this.settings;
    if (!z.email().safeParse(to).success) throw new MailFailure('final', 'no e-mail address');
    const transport = await this.transport();
    const message = {
      from: { name: 'Alçada', address: from },
      to: { name: '', address: to },
      ...{ subject, text, html },
      messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834 §5
      xMailer: false as const,
    };
    await transport.sendMail(message).catch(fail);
  }
}

/** What nodemailer says of a failure. */
interface Failure {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

const fail = (error: unknown): never => {
  const { code = 'unknown', responseCode = 0, command = '' } = (error ?? {}) as Failure;
  const isOfMail = command === 'RCPT TO' || command === 'DATA';
  const extent = !isOfMail || responseCode === 421 ? 'server' : responseCode >= 500 ? 'final' : 'later';
  throw new MailFailure(extent, `${code}${responseCode > 0 ? ` ${responseCode}` : ''}`);
};
