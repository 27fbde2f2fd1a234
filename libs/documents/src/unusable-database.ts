/** A database server cannot be used; the message tells an operator which one and why, without the password. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
}
