import { createHash } from 'node:crypto'
import type { AuthTools, SharedToken } from '../provider'
import { parsedObject } from '@tollgate/dialects'

/** More accounts than any site has. */
const max = 500
/** Where one token after the other is refused, the account is at fault. */
const pauseMs = 60_000

/** Tokens of accounts: kept until they expire, and fetched once by all who wait for one. */
export class TokenCache {
  readonly #tokens = new Map<string, SharedToken>()
  /** When an account last had a token refused, in milliseconds. */
  readonly #refusedAt = new Map<string, number>()
  readonly #pending = new Map<string, Promise<string>>()

  /** @throws what `make` throws; a TypeError of it is the account's fault, and is thrown by all who wait. */
  async token(account: readonly string[], { now }: AuthTools, make: () => Promise<SharedToken>): Promise<string> {
    const name = nameOf(account)
    const cached = this.#tokens.get(name)
    if (cached && cached.goodUntil > now()) return cached.text
    const pending = this.#pending.get(name)
    if (!pending) return this.#makeOnce(name, make)
    try {
      return await pending
    } catch (error) {
      if (error instanceof TypeError) throw error
      // The other call broke off, perhaps because its client left. This one goes on.
      return await this.#makeAndCache(name, make)
    }
  }

  /**
   * Forgets a token that the vendor refused, unless another was refused just before. Returns whether to ask again: with a fresh token, or
   * with one that another call has obtained meanwhile.
   */
  forget(account: readonly string[], refused: string, nowMs: number): boolean {
    const name = nameOf(account)
    if (this.#tokens.get(name)?.text !== refused) return true
    if (nowMs - (this.#refusedAt.get(name) ?? -Infinity) < pauseMs) return false
    this.#tokens.delete(name)
    setBounded(this.#refusedAt, name, nowMs)
    return true
  }

  #makeOnce(name: string, make: () => Promise<SharedToken>): Promise<string> {
    const making = this.#makeAndCache(name, make).finally(() => this.#pending.delete(name))
    this.#pending.set(name, making)
    return making
  }

  async #makeAndCache(name: string, make: () => Promise<SharedToken>): Promise<string> {
    const token = await make()
    setBounded(this.#tokens, name, token)
    return token.text
  }
}

/** Sets an entry as the newest; beyond the capacity the oldest is dropped. */
function setBounded<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name)
  const [oldest] = map.keys()
  if (oldest !== undefined && map.size >= max) map.delete(oldest)
  map.set(name, value)
}

/** The secrets themselves are not kept in memory for the sake of their token. */
export const nameOf = (account: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(account)).digest('hex')

interface TokenAnswer {
  readonly text: string
  readonly seconds: number
}

interface TokenService {
  /** As it stands in error messages. */
  readonly name: string
  readonly url: string
  readonly form?: URLSearchParams
  /** How long a token lasts when the answer does not say. */
  readonly usualSeconds: number
}

/**
 * Asks an OAuth token service for a token.
 * @throws TypeError when it refuses the account; Error when it fails.
 */
export async function requestToken(
  { name, url, form, usualSeconds }: TokenService,
  tools: AuthTools,
): Promise<TokenAnswer> {
  const { status, answer } = await postForm(tools, url, form)
  const { access_token: text, expires_in: seconds } = answer
  if (status === 200 && typeof text === 'string' && text !== '')
    return { text, seconds: typeof seconds === 'number' ? seconds : usualSeconds }
  const reason = [answer['error_description'], answer['error']].find((value) => typeof value === 'string')
  const message = `${name} gave no token (status ${status})${reason === undefined ? '' : `: ${reason.slice(0, 500)}`}`
  if (status === 400 || status === 401 || (status === 200 && reason !== undefined)) throw new TypeError(message)
  throw new Error(message)
}

async function postForm({ fetch }: AuthTools, url: string, form: URLSearchParams = new URLSearchParams()) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  try {
    const response = await fetch(url, { method: 'POST', headers, body: form.toString() })
    return { status: response.status, answer: parsedObject(await response.text()) ?? {} }
  } catch (cause) {
    // A broken connection is a TypeError too, and says nothing of the key.
    throw new Error(cause instanceof Error ? cause.message : 'The connection failed', { cause })
  }
}
