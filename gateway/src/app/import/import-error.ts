/** Why nothing can be imported, in a sentence for the operator. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}
