import { createHash } from 'node:crypto'

import type { AuthTools, SharedToken } from '../provider'

/** More accounts than any site has. */
const most = 500
/** A token that the vendor refuses so soon would be refused again. */
const youngMs = 60_000

interface Kept extends SharedToken {
  readonly madeAt: number
}

/** Tokens of accounts: kept until they expire, and fetched once by all who wait for one. */
export class KeptTokens {
  readonly #tokens = new Map<string, Kept>()
  readonly #pending = new Map<string, Promise<string>>()

  /** @throws what `make` throws; a TypeError of it is the account's fault, and is thrown by all who wait. */
  async token(account: readonly string[], { now }: AuthTools, make: () => Promise<SharedToken>): Promise<string> {
    const name = nameOf(account)
    const kept = this.#tokens.get(name)
    if (kept && kept.goodUntil > now()) return kept.text
    const pending = this.#pending.get(name)
    if (!pending) return this.#makeOnce(name, now, make)
    try {
      return await pending
    } catch (error) {
      if (error instanceof TypeError) throw error
      // The other call broke off, perhaps because its client left. This one goes on.
      return await this.#made(name, now, make)
    }
  }

  /** Forgets a token that the vendor refused. Returns it, or null when there is none or it was made just now. */
  forget(account: readonly string[], nowMs: number): string | null {
    const name = nameOf(account)
    const kept = this.#tokens.get(name)
    if (!kept || nowMs - kept.madeAt < youngMs) return null
    this.#tokens.delete(name)
    return kept.text
  }

  #makeOnce(name: string, now: () => number, make: () => Promise<SharedToken>): Promise<string> {
    const making = this.#made(name, now, make).finally(() => this.#pending.delete(name))
    this.#pending.set(name, making)
    return making
  }

  async #made(name: string, now: () => number, make: () => Promise<SharedToken>): Promise<string> {
    const token = await make()
    this.#tokens.delete(name)
    const [oldest] = this.#tokens.keys()
    if (oldest !== undefined && this.#tokens.size >= most) this.#tokens.delete(oldest)
    this.#tokens.set(name, { ...token, madeAt: now() })
    return token.text
  }
}

/** The secrets themselves are not kept in memory for the sake of their token. */
export const nameOf = (account: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(account)).digest('hex')
