import type { StepUpPurpose } from '@tollgate/contract'

/** Asks the reader to confirm their identity; null when they cancel. */
type Ask = (purpose: StepUpPurpose) => Promise<string | null>

let ask: Ask | undefined

/** Sets who asks the reader; undefined while nothing on the page can. */
export function setStepUp(asking: Ask | undefined): void {
  ask = asking
}

/** Resolves with a proof for the purpose, or null. */
export const askForProof = async (purpose: StepUpPurpose): Promise<string | null> => (await ask?.(purpose)) ?? null
