import type { IdentitySettings } from '../identity-settings.js';

/** Two travellers with cheap passwords, whose failures cost nothing. */
export const testIdentitySettings = (change: Partial<IdentitySettings> = {}): IdentitySettings => ({
  accounts: [
    { email: 'ana@example.com', password: 'alcada-demo' },
    { email: 'bruno@example.com', password: 'alcada-demo' },
  ],
  passwordCost: { N: 1_024, r: 8, p: 1 },
  loginFailures: 0,
  ...change,
});
