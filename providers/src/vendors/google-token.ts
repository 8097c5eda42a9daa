import { sign } from 'node:crypto'

import type { AuthTools, SharedToken } from '../provider'
import { requestToken, TokenCache } from './token-cache'
import { unsignedToken } from './signed-token'

/** What a service account needs to prove itself. */
export interface ServiceAccount {
  readonly email: string
  readonly privateKey: string
  readonly privateKeyId: string
}

const scope = 'https://www.googleapis.com/auth/cloud-platform'
const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const hour = 3600
const reserveMs = 5 * 60 * 1000

/** Access tokens of service accounts, kept until shortly before they expire. */
export class GoogleTokens {
  readonly #cache = new TokenCache()

  /** @throws TypeError when the private key is not a valid key, or Google refuses it; also what `fetch` throws. */
  token(account: ServiceAccount, tokenUrl: string, tools: AuthTools): Promise<string> {
    return this.#cache.token(nameOf(account, tokenUrl), tools, () => fetchToken(account, tokenUrl, tools))
  }

  /** Forgets a token that Google refused. Returns whether another one may be had. */
  forget(account: ServiceAccount, tokenUrl: string, refused: string, nowMs: number): boolean {
    return this.#cache.forget(nameOf(account, tokenUrl), refused, nowMs)
  }
}

const nameOf = ({ email, privateKey }: ServiceAccount, tokenUrl: string) => [email, privateKey, tokenUrl] as const

/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest */
async function fetchToken(account: ServiceAccount, url: string, tools: AuthTools): Promise<SharedToken> {
  const requestedAtMs = tools.now()
  const assertion = assertionOf(account, url, Math.floor(requestedAtMs / 1000))
  const form = new URLSearchParams({ grant_type: grant, assertion })
  const { text, seconds } = await requestToken({ name: 'Google', url, form, usualSeconds: hour }, tools)
  return { text, goodUntil: requestedAtMs + seconds * 1000 - reserveMs }
}

function assertionOf({ email, privateKey, privateKeyId }: ServiceAccount, audience: string, now: number): string {
  const header = { alg: 'RS256', typ: 'JWT', ...(privateKeyId && { kid: privateKeyId }) }
  const signed = unsignedToken(header, { iss: email, scope, aud: audience, iat: now, exp: now + hour })
  try {
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
  } catch (cause) {
    throw new TypeError('The private key of the service account cannot be read', { cause })
  }
}
