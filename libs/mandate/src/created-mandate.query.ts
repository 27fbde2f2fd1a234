import { Query } from '@nestjs/cqrs';
import type { Links } from '#http';
import type { Refusal } from '#kernel';
import type { MandateView } from './mandate.view.js';

/**
 * What came of creating a mandate under an id: the mandate; null where nothing did, so that it may still be created; a
 * refusal where it was opened in the agency, never created and given up (consistency.md, rule 19).
 */
export class CreatedMandate extends Query<MandateView | Refusal | null> {
  constructor(
    readonly mandateId: string,
    readonly links: Links,
  ) {
    super();
  }
}
