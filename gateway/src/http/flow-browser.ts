import { flowCookie, flowHashOf } from '../sessions/session-cookie'
import { sha256 } from '../store/seal'
import type { Call } from './handler'

const idBytes = 32

/** The browser of a call, as flows know it; it gets a cookie where it has none yet. For the call that begins a flow. */
export function flowBrowser({ ctx, request, isSecure, answerHeaders }: Call): string {
  const known = flowHashOf(request)
  if (known !== null) return known
  const id = Buffer.from(ctx.random.bytes(idBytes)).toString('base64url')
  answerHeaders.append('Set-Cookie', flowCookie(id, isSecure))
  return sha256(id)
}
