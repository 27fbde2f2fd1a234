/** The booking is not what the command was made from: somebody changed it in between. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}
