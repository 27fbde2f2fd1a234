import { Module } from '@nestjs/common';
import { Notices } from './notices.js';

/** The notices of travellers. Wants `Documents` and `MailSettings` from the application, globally. */
@Module({ providers: [Notices], exports: [Notices] })
export class MailModule {}
