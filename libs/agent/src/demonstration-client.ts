/** The agent that a visitor of a test environment watches. It is public and gets no refresh token: its access ends with the purchase. */
export const DEMONSTRATION_CLIENT = {
  clientId: 'demonstracao',
  secret: null,
  name: 'Agente de demonstração',
  redirectUris: ['{site_url}/demonstracao'],
  pilot: false,
  refresh: false,
} as const;
