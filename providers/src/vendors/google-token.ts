import { createHash, sign } from 'node:crypto'

import { isObject, type JsonObject } from '@tollgate/dialects'

import type { AuthTools } from '../provider'

/** What a service account needs to prove itself. */
export interface ServiceAccount {
  readonly email: string
  readonly privateKey: string
  readonly privateKeyId: string
}

interface Token {
  readonly text: string
  /** Milliseconds; not used after that. */
  readonly goodUntil: number
}

const scope = 'https://www.googleapis.com/auth/cloud-platform'
const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const hour = 3600
const reserveMs = 5 * 60 * 1000
/** More accounts than any site has. */
const most = 500

/** Access tokens of service accounts: kept until shortly before they expire, and fetched once by all who wait for one. */
export class GoogleTokens {
  readonly #tokens = new Map<string, Token>()
  readonly #pending = new Map<string, Promise<string>>()

  /** @throws TypeError when the private key is not a valid key, or Google refuses it; also what `fetch` throws. */
  async token(account: ServiceAccount, tokenUrl: string, tools: AuthTools): Promise<string> {
    const name = nameOf(account, tokenUrl)
    const kept = this.#tokens.get(name)
    if (kept && kept.goodUntil > tools.now()) return kept.text
    const pending = this.#pending.get(name)
    if (!pending) return this.#fetchOnce(name, account, tokenUrl, tools)
    try {
      return await pending
    } catch (error) {
      if (error instanceof TypeError) throw error
      // The other call broke off, perhaps because its client left. This one goes on.
      return await this.#fetched(name, account, tokenUrl, tools)
    }
  }

  #fetchOnce(name: string, account: ServiceAccount, tokenUrl: string, tools: AuthTools): Promise<string> {
    const fetching = this.#fetched(name, account, tokenUrl, tools).finally(() => this.#pending.delete(name))
    this.#pending.set(name, fetching)
    return fetching
  }

  async #fetched(name: string, account: ServiceAccount, tokenUrl: string, tools: AuthTools): Promise<string> {
    const askedAt = tools.now()
    const { text, seconds } = await fetchToken(account, tokenUrl, tools)
    this.#tokens.delete(name)
    const [oldest] = this.#tokens.keys()
    if (oldest !== undefined && this.#tokens.size >= most) this.#tokens.delete(oldest)
    this.#tokens.set(name, { text, goodUntil: askedAt + seconds * 1000 - reserveMs })
    return text
  }
}

/** The key itself is not kept in memory for the sake of its token. */
const nameOf = ({ email, privateKey }: ServiceAccount, tokenUrl: string): string =>
  createHash('sha256')
    .update(JSON.stringify([email, privateKey, tokenUrl]))
    .digest('hex')

/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest */
async function fetchToken(account: ServiceAccount, tokenUrl: string, tools: AuthTools) {
  const assertion = assertionOf(account, tokenUrl, Math.floor(tools.now() / 1000))
  const { status, answer } = await asked(tools, tokenUrl, new URLSearchParams({ grant_type: grant, assertion }))
  const { access_token: text, expires_in: seconds } = answer
  if (status === 200 && typeof text === 'string' && text !== '')
    return { text, seconds: typeof seconds === 'number' ? seconds : hour }
  const said = [answer['error_description'], answer['error']].find((value) => typeof value === 'string')
  const message = `Google gave no token (status ${status})${said === undefined ? '' : `: ${said.slice(0, 500)}`}`
  if (status === 400 || status === 401) throw new TypeError(message)
  throw new Error(message)
}

async function asked({ fetch }: AuthTools, url: string, body: URLSearchParams) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  try {
    const response = await fetch(url, { method: 'POST', headers, body: body.toString() })
    return { status: response.status, answer: parsed(await response.text()) }
  } catch (cause) {
    // A broken connection is a TypeError too, and says nothing of the key.
    throw new Error(cause instanceof Error ? cause.message : 'The connection failed', { cause })
  }
}

function assertionOf({ email, privateKey, privateKeyId }: ServiceAccount, audience: string, now: number): string {
  const head = encoded({ alg: 'RS256', typ: 'JWT', ...(privateKeyId && { kid: privateKeyId }) })
  const claims = encoded({ iss: email, scope, aud: audience, iat: now, exp: now + hour })
  const signed = `${head}.${claims}`
  try {
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
  } catch (cause) {
    throw new TypeError('The private key of the service account cannot be read', { cause })
  }
}

const encoded = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An empty object for anything else. */
function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
