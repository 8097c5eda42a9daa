import type { AuthTools, Credentials, Provider, Target, UnsignedRequest } from '@tollgate/providers'

/** How a request gets credentials that need more than the key. */
export interface Signing {
  /** Builds the credentials, where the vendor wants them. @throws TypeError for an unusable key. */
  readonly authorize?: (tools: AuthTools) => Promise<Credentials>
  /** Forgets a token that the vendor refused. Returns whether to make the attempt again. */
  readonly renew?: (nowMs: number) => boolean
}

const noSigning: Signing = {}

/** Returns how a vendor wants a request signed; it remembers the credentials it gave, so that the refused ones are forgotten. */
export function signingOf({ authorize, renew }: Provider, request: UnsignedRequest, target: Target): Signing {
  if (!authorize) return noSigning
  let sent: Credentials = {}
  return {
    authorize: async (tools) => (sent = await authorize(request, target, tools)),
    ...(renew && { renew: (nowMs) => renew(target, sent, nowMs) }),
  }
}
