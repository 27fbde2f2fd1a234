/** What an operator asked for cannot be done; the message, in English, says why. */
export class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused';
}
