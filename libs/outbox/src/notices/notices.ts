import { Injectable } from '@nestjs/common';
import { Collection, type CollectionSpec, type Condition, type Document, Documents } from '#documents';
import { hashOf } from '#identity';
import { type Instant, plus } from '#kernel';
import { KEPT } from '../places.js';
import { z } from 'zod';
import { gatheringOf, matterOf, NOTICE_TYPES, type NoticePlace, subjectOf } from './notice-types.js';

/** The notices of travellers: what became news for them, whether they read it, and whether a mail about it is due. */
export const NOTICES: CollectionSpec = {
  name: 'notices',
  indexes: [
    { fields: ['holder', 'isRead', 'key'] },
    { fields: ['matter', 'sentAt'] },
    { fields: ['matter', 'mailAt'] },
    { fields: ['mailAt'] },
  ],
};

/** Up to which public event there are notices. */
export const NOTICES_REACHED: CollectionSpec = { name: 'notices-reached', indexes: [] };

const storedNotice = z.object({
  holder: z.string(),
  clientId: z.string(),
  type: z.enum(NOTICE_TYPES),
  /** The mandate, order or agent that it is about; '': several orders. */
  subject: z.string(),
  matter: z.string(),
  /** Where its public event stands: later ones are newer. */
  key: z.string(),
  at: z.string(),
  isRead: z.boolean(),
  /** When a mail about it is due; null: none is, or none is any more. */
  mailAt: z.string().nullable(),
  sentAt: z.string().nullable(),
});
export type StoredNotice = z.infer<typeof storedNotice>;

/** A notice as its traveller sees it. */
export interface Notice extends Pick<StoredNotice, 'type' | 'subject' | 'clientId' | 'at' | 'isRead'> {
  /** The last part of its address, which reveals nothing. */
  readonly id: string;
}

const noticeOf = ({ id, body }: Document<StoredNotice>): Notice => {
  const { type, subject, clientId, at, isRead } = body;
  return { id, type, subject, clientId, at, isRead };
};

/** How many are changed at a time. */
const PAGE = 100;
/** How many that wait are counted at most. */
const COUNTED = 10_000;
const REACHED = 'reached';

/** Methods throw DocumentsUnavailable. */
@Injectable()
export class Notices {
  private readonly stored: Collection<StoredNotice>;
  private readonly reachedUpTo: Collection<{ readonly key: string }>;

  constructor(private readonly documents: Documents) {
    this.stored = new Collection(documents, NOTICES, storedNotice);
    this.reachedUpTo = new Collection(documents, NOTICES_REACHED, z.object({ key: z.string() }));
  }

  /** A holder's notices, unread ones first and of each kind the newest first. */
  async of(holder: string, limit: number): Promise<readonly Notice[]> {
    const unread = await this.newest(holder, false, limit);
    const read = unread.length < limit ? await this.newest(holder, true, limit - unread.length) : [];
    return [...unread, ...read].map(noticeOf);
  }

  /** Marks a notice as read; null: this holder has none of that id. */
  async open(id: string, holder: string): Promise<Notice | null> {
    const found = await this.stored.get(id);
    if (found?.body.holder !== holder) return null;
    if (!found.body.isRead) await this.change(id, { isRead: true });
    return noticeOf(found);
  }

  async readAll(holder: string): Promise<void> {
    for (;;) {
      const unread = await this.newest(holder, false, PAGE);
      if (unread.length === 0) return;
      for (const { id } of unread) await this.change(id, { isRead: true });
    }
  }

  /** Deletes all of a holder; returns how many there were. */
  forget(holder: string): Promise<number> {
    return this.stored.deleteAll('holder', holder);
  }

  /** Up to which place there are notices; null: from the oldest on there are none. */
  async reached(): Promise<string | null> {
    return (await this.reachedUpTo.get(REACHED))?.body.key ?? null;
  }

  async reach(key: string): Promise<void> {
    await this.reachedUpTo.update(REACHED, () => ({ key }));
  }

  /** Keeps the notice of a public event, once. `isMailed`: whether a mail about it is due. */
  async add(place: NoticePlace, isMailed: boolean): Promise<void> {
    const { id, type, holder, clientId, key, at } = place;
    const notice: StoredNotice = {
      ...{ holder, clientId, type, key, at },
      subject: subjectOf(place),
      matter: matterOf(place),
      isRead: false,
      mailAt: isMailed ? plus(at, gatheringOf(type)) : null,
      sentAt: null,
    };
    await this.stored.insertIfAbsent(hashOf(id), notice, { expiresAt: plus(at, KEPT) });
  }

  /** The notice of which a mail has been due longest; null: none is due. */
  async due(now: Instant): Promise<Document<StoredNotice> | null> {
    const where: readonly Condition[] = [{ field: 'mailAt', atLeast: '', below: plus(now, 1) }];
    const [due] = await this.stored.find({ where, sort: { field: 'mailAt', direction: 'ascending' }, limit: 1 });
    return due ?? null;
  }

  /** How many wait for a mail about them, now or later. */
  waiting(): Promise<number> {
    return this.documents.count(NOTICES.name, { where: [{ field: 'mailAt', atLeast: '' }] }, COUNTED);
  }

  /** When the last mail about a matter went out, or the one of that `number` counted from the last; null: there was none. */
  async mailOf(matter: string, number = 1): Promise<Instant | null> {
    const where = [{ field: 'matter', equals: matter }];
    const mailed = await this.stored.find({ where, sort: { field: 'sentAt', direction: 'descending' }, limit: number });
    return mailed[number - 1]?.body.sentAt ?? null;
  }

  /** The notices of a matter about which a mail is due, now or later; of many, those that it is due of first. */
  waitingOf(matter: string): Promise<readonly Document<StoredNotice>[]> {
    const where: readonly Condition[] = [
      { field: 'matter', equals: matter },
      { field: 'mailAt', atLeast: '' },
    ];
    return this.stored.find({ where, sort: { field: 'mailAt', direction: 'ascending' }, limit: PAGE });
  }

  async postpone(ids: readonly string[], mailAt: Instant): Promise<void> {
    for (const id of ids) await this.change(id, { mailAt });
  }

  /** No mail about these is due any more; `sentAt`: when one went out, null: none did. */
  async settle(ids: readonly string[], sentAt: Instant | null): Promise<void> {
    for (const id of ids) await this.change(id, { mailAt: null, sentAt });
  }

  private async change(id: string, changed: Partial<StoredNotice>): Promise<void> {
    await this.stored.update(id, (notice) => notice && { ...notice, ...changed });
  }

  private newest(holder: string, isRead: boolean, limit: number): Promise<readonly Document<StoredNotice>[]> {
    const where = [
      { field: 'holder', equals: holder },
      { field: 'isRead', equals: isRead },
    ];
    return this.stored.find({ where, sort: { field: 'key', direction: 'descending' }, limit });
  }
}
