import type { RateLimits } from '../rate-limiter.js';

/** Nothing is limited. */
export const UNLIMITED: RateLimits = {
  publicReads: 0,
  operations: 0,
  formPosts: 0,
  authorizations: 0,
  registrations: 0,
  tokenRequests: 0,
  demonstrations: 0,
  clientFailures: 0,
  logIns: 0,
};
