import { Query } from '@nestjs/cqrs';
import type { BaseUrls } from '#http';
import type { MandateView } from './mandate.view.js';

/** A mandate by id, for any client of its holder. */
export class GetMandate extends Query<MandateView> {
  constructor(
    readonly mandateId: string,
    readonly holder: string,
    readonly urls: BaseUrls,
  ) {
    super();
  }
}
