import type { RouteAnswer, SecondFactorRequest, sessionRoutes } from '@tollgate/contract'

type SignedIn = RouteAnswer<typeof sessionRoutes.logIn>

/** Asks the reader for a second factor; null when they cancel. */
type Ask = (asked: SecondFactorRequest) => Promise<SignedIn | null>

let ask: Ask | undefined

/** Sets who asks the reader; undefined while nothing on the page can. */
export function setSecondFactor(asking: Ask | undefined): void {
  ask = asking
}

/** Completes a sign-in. Resolves with the signed-in user, or null. */
export const completeSignIn = async (asked: SecondFactorRequest): Promise<SignedIn | null> =>
  (await ask?.(asked)) ?? null
