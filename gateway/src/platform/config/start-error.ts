/** Why the gateway cannot start, as a sentence that tells the operator what to do. Printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
