import { parse, serialize } from 'hono/utils/cookie'

import { sha256 } from '../store/seal'

const name = 'session'

export const sessionSeconds = 30 * 24 * 3600

/** The cookie that signs a browser in. Secure when the client speaks TLS. */
export const sessionCookie = (id: string, isSecure: boolean): string => cookie(id, isSecure, sessionSeconds)

/** The cookie that makes a browser forget. */
export const endedCookie = (isSecure: boolean): string => cookie('', isSecure, 0)

const cookie = (value: string, secure: boolean, maxAge: number) =>
  serialize(name, value, { httpOnly: true, sameSite: 'Lax', path: '/', maxAge, secure })

/** The hash of the session id a request carries, as the sessions table has it; null without one. */
export function sessionHashOf(request: Request): string | null {
  const header = request.headers.get('cookie')
  const id = header ? parse(header, name)[name] : undefined
  return id ? sha256(id) : null
}
