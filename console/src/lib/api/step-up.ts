import type { StepUpPurpose } from '@tollgate/contract'

/** Asks the reader to confirm their identity; null when they cancel. */
type RequestProof = (purpose: StepUpPurpose) => Promise<string | null>

let request: RequestProof | undefined

/** Sets who asks the reader; undefined while nothing on the page can. */
export function setStepUp(asking: RequestProof | undefined): void {
  request = asking
}

/** Resolves with a proof for the purpose, or null. */
export const requestProof = async (purpose: StepUpPurpose): Promise<string | null> => (await request?.(purpose)) ?? null
