import { Query } from '@nestjs/cqrs';
import type { BaseUrls } from '#http';
import type { DomainError } from '#kernel';
import type { MandateView } from './mandate.view.js';

/**
 * What came of creating a mandate under an id: the mandate; null where nothing did, so that it may still be created; a
 * refusal where it was opened in the delegation, never created and given up (docs/consistency.md, rule 19).
 */
export class CreatedMandate extends Query<MandateView | DomainError | null> {
  constructor(
    readonly mandateId: string,
    readonly urls: BaseUrls,
  ) {
    super();
  }
}
