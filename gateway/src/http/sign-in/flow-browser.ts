import { flowCookie, flowHashOf } from '../../accounts/sessions/session-cookie'
import { sha256 } from '../../platform/store/seal'
import type { Call } from '../handler'
import { randomToken } from '../../platform/random'

const idBytes = 32

/** Returns the hash by which flows recognize the browser that starts one. Sets a cookie if the browser has none. */
export function flowBrowser({
  ctx,
  request,
  isSecure,
  responseHeaders,
}: Pick<Call, 'ctx' | 'request' | 'isSecure' | 'responseHeaders'>): string {
  const known = flowHashOf(request)
  if (known !== null) return known
  const id = randomToken(ctx.random, idBytes)
  responseHeaders.append('Set-Cookie', flowCookie(id, isSecure))
  return sha256(id)
}
