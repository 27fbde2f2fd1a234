export { MailModule } from './mail.module.js';
export { type MailFigures, type MailOutcome, MailSender } from './mail-sender.js';
export { NOTICES_PATH, testMail } from './notice-mail.js';
export { NOTICE_WORDS } from './notice-types.js';
export { NoticeWriter } from './notice-writer.js';
export { type Notice, NOTICES, Notices, NOTICES_REACHED } from './notices.js';
export { Notifier } from './notifier.js';
export { MailSettings, Smtp } from './smtp.js';
