/** A variable that is wrong or missing; the message names it. */
export class InvalidConfig extends Error {
  override readonly name = 'InvalidConfig';
}
