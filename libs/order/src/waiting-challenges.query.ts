import { Query } from '@nestjs/cqrs';
import type { ChallengeDetails } from './get-challenge.query.js';

/** The challenges that wait for a holder's word now, the newest first. */
export class WaitingChallenges extends Query<readonly ChallengeDetails[]> {
  constructor(readonly holder: string) {
    super();
  }
}
