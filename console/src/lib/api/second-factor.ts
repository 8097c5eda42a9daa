import type { RouteResult, SecondFactorRequest, sessionRoutes } from '@tollgate/contract'

type SignedIn = RouteResult<typeof sessionRoutes.logIn>

/** Asks the reader for a second factor; null when they cancel. */
type RequestFactor = (request: SecondFactorRequest) => Promise<SignedIn | null>

let requestFactor: RequestFactor | undefined

/** Sets who asks the reader; undefined while nothing on the page can. */
export function setSecondFactor(asking: RequestFactor | undefined): void {
  requestFactor = asking
}

/** Completes a sign-in. Resolves with the signed-in user, or null. */
export const completeSignIn = async (request: SecondFactorRequest): Promise<SignedIn | null> =>
  (await requestFactor?.(request)) ?? null
