import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Collection, Documents } from '#documents';
import { z } from 'zod';

const storedPurpose = z.object({ purpose: z.string() });

/** What an agent said a mandate is for, by its id. It may name people, so it is in no event and can be erased (rule 27). */
@Injectable()
export class MandatePurposes implements OnModuleInit {
  private readonly stored: Collection<z.infer<typeof storedPurpose>>;

  constructor(documents: Documents) {
    this.stored = new Collection(documents, { name: 'mandate-purposes', indexes: [] }, storedPurpose);
  }

  onModuleInit(): Promise<void> {
    return this.prepare();
  }

  /** Keeps the purpose of a mandate; the first one stays. */
  async keep(mandateId: string, purpose: string): Promise<void> {
    await this.stored.insertIfAbsent(mandateId, { purpose });
  }

  /** Returns whether there was one. */
  forget(mandateId: string): Promise<boolean> {
    return this.stored.delete(mandateId);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** null: none was said. */
  async of(mandateId: string): Promise<string | null> {
    return (await this.stored.get(mandateId))?.body.purpose ?? null;
  }

  /** Those that were said, by the mandate's id. */
  async ofAll(mandateIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = mandateIds.length === 0 ? [] : await this.stored.getMany(mandateIds);
    return new Map(found.map(({ id, body }) => [id, body.purpose]));
  }
}

@Module({ providers: [MandatePurposes], exports: [MandatePurposes] })
export class MandatePurposesModule {}
