import type { RouteResult, SecondFactorRequest, sessionRoutes, StepUpPurpose } from '@tollgate/contract'

/** Asks the reader to confirm their identity; null when they cancel. */
type RequestProof = (purpose: StepUpPurpose) => Promise<string | null>

let proofRequest: RequestProof | undefined

/** Sets who asks the reader; undefined while nothing on the page can. */
export function setStepUp(asking: RequestProof | undefined): void {
  proofRequest = asking
}

/** Resolves with a proof for the purpose, or null. */
export const requestProof = async (purpose: StepUpPurpose): Promise<string | null> =>
  (await proofRequest?.(purpose)) ?? null

type SignedIn = RouteResult<typeof sessionRoutes.logIn>

/** Asks the reader for a second factor; null when they cancel. */
type RequestFactor = (request: SecondFactorRequest) => Promise<SignedIn | null>

let factorRequest: RequestFactor | undefined

/** Sets who asks the reader; undefined while nothing on the page can. */
export function setSecondFactor(asking: RequestFactor | undefined): void {
  factorRequest = asking
}

/** Completes a sign-in. Resolves with the signed-in user, or null. */
export const completeSignIn = async (request: SecondFactorRequest): Promise<SignedIn | null> =>
  (await factorRequest?.(request)) ?? null
