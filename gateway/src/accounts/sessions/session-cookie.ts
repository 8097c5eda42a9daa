import { daySeconds } from '@tollgate/contract'
import { parse, serialize } from 'hono/utils/cookie'

import { sha256 } from '../../platform/store/seal'

/** A cookie that signs in or recognizes a browser, under two names. */
interface OwnCookie {
  readonly plain: string
  /**
   * Over TLS. Browsers accept such a name only from the very host and over TLS, so that neither a sibling host nor an attacker on the
   * network can plant it: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
   */
  readonly secure: string
}

const session: OwnCookie = { plain: 'session', secure: '__Host-session' }
/** Identifies the browser that began a one-time flow, signed in or not: see `accounts/flows`. */
const flow: OwnCookie = { plain: 'flow', secure: '__Host-flow' }
const device: OwnCookie = { plain: 'device', secure: '__Host-device' }

const plainNames: ReadonlySet<string> = new Set([session.plain, flow.plain, device.plain])

/**
 * Removes the cookies without the prefix from a request over TLS: there the gateway sets none, so someone else did. Called before anything
 * reads them.
 */
export function dropPlainCookies(headers: Headers): void {
  const header = headers.get('cookie')
  if (header === null) return
  const pairs = header.split(';')
  const remaining = pairs.filter((pair) => !plainNames.has((pair.split('=', 1)[0] ?? '').trim()))
  if (remaining.length < pairs.length) headers.set('cookie', remaining.join(';'))
}

export const sessionSeconds = 30 * daySeconds
export const deviceSeconds = 180 * daySeconds
/** Longer than any flow. */
const flowSeconds = daySeconds

/** Returns the headers that sign a browser in. */
export const sessionCookies = (id: string, isSecure: boolean): string[] => [
  cookie(session, id, isSecure, sessionSeconds),
  // Otherwise one from before TLS would remain.
  ...(isSecure ? [cookie(session, '', false, 0)] : []),
]

/** Returns the headers that make a browser forget who was signed in, under both names. */
export const endedCookies = (): string[] => [cookie(session, '', false, 0), cookie(session, '', true, 0)]

/** Returns the header by which a browser is recognized. */
export const deviceCookie = (id: string, isSecure: boolean): string => cookie(device, id, isSecure, deviceSeconds)

/** Returns the header that identifies the browser of a one-time flow. */
export const flowCookie = (id: string, isSecure: boolean): string => cookie(flow, id, isSecure, flowSeconds)

const cookie = ({ plain, secure: secureName }: OwnCookie, value: string, secure: boolean, maxAge: number) =>
  serialize(secure ? secureName : plain, value, { httpOnly: true, sameSite: 'Lax', path: '/', maxAge, secure })

/** Returns the hash of the session id in a request, as the sessions table has it; null without one. */
export const sessionHashOf = (request: Request): string | null => hashOf(request, session)

/** Returns the same for the id by which the browser is recognized. */
export const deviceHashOf = (request: Request): string | null => hashOf(request, device)

/** Returns the same for the id that binds flows to the browser. */
export const flowHashOf = (request: Request): string | null => hashOf(request, flow)

/** The name with the prefix wins where it cannot be known that the client speaks TLS. */
function hashOf(request: Request, { plain, secure }: OwnCookie): string | null {
  const header = request.headers.get('cookie')
  if (header === null || !header.includes(plain)) return null
  const id = parse(header, secure)[secure] ?? parse(header, plain)[plain]
  return id ? sha256(id) : null
}
