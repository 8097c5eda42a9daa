/** Why something could not be checked, saved or verified, in words for the operator. */
export class UpkeepError extends Error {
  override readonly name = 'UpkeepError'
}
