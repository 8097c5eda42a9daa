import type { StepUpPurpose } from '@tollgate/contract'

/** Asks the reader to prove again who he is; null when he would rather not. */
type Ask = (purpose: StepUpPurpose) => Promise<string | null>

let ask: Ask | undefined

/** Says who asks the reader; undefined when the page has nobody to ask him. */
export function setStepUp(asking: Ask | undefined): void {
  ask = asking
}

/** Resolves with a proof for the purpose, or null. */
export const askForProof = async (purpose: StepUpPurpose): Promise<string | null> => (await ask?.(purpose)) ?? null
