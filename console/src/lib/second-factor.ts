import type { RouteAnswer, SecondFactorAsked, sessionRoutes } from '@tollgate/contract'

type SignedIn = RouteAnswer<typeof sessionRoutes.logIn>

/** Asks the reader for a second factor; null when he would rather not. */
type Ask = (asked: SecondFactorAsked) => Promise<SignedIn | null>

let ask: Ask | undefined

/** Says who asks the reader; undefined when the page has nobody to ask him. */
export function setSecondFactor(asking: Ask | undefined): void {
  ask = asking
}

/** Completes a sign-in. Resolves with who is signed in, or null. */
export const completeSignIn = async (asked: SecondFactorAsked): Promise<SignedIn | null> => (await ask?.(asked)) ?? null
