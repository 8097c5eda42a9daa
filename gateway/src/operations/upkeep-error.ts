/** Why something could not be checked, saved or verified, in a sentence for the operator. */
export class UpkeepError extends Error {
  override readonly name = 'UpkeepError'
}
