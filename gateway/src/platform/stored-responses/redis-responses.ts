import { RedisLink, type RedisLinkOptions } from '../net/redis-link'
import type { Seal } from '../store/seal'
import type { Clock } from '../time/clock'
import { bytesOfResponse, type HeldResponses, type KeepTerms, type StoredResponse } from './response-store'

interface RedisResponsesOptions extends RedisLinkOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly seal: Pick<Seal, 'seal' | 'open'>
}

const prefix = 'tollgate:responses:'
/** By the time at which they end. */
const endsKey = `${prefix}ends`
/** How much each takes, and under `total` all of them. */
const sizesKey = `${prefix}sizes`

/** Forgets a response, and counts it no more. */
const dropScript = `
local function drop(key)
  local size = redis.call('HGET', KEYS[2], key)
  if size then
    redis.call('HDEL', KEYS[2], key)
    redis.call('HINCRBY', KEYS[2], 'total', -tonumber(size))
  end
  redis.call('ZREM', KEYS[1], key)
  redis.call('UNLINK', '${prefix}' .. key)
end
`

/** ARGV: the key, the sealed response, its size, the milliseconds that it is kept, the time, the most that all may take. */
const keepScript = `${dropScript}
local key, size, ttl, now, most = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
for _, ended in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 100)) do drop(ended) end
drop(key)
if size > most then return 0 end
while tonumber(redis.call('HGET', KEYS[2], 'total') or '0') + size > most do
  local first = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
  if not first then break end
  drop(first)
end
redis.call('SET', '${prefix}' .. key, ARGV[2], 'PX', ttl)
redis.call('ZADD', KEYS[1], now + ttl, key)
redis.call('HSET', KEYS[2], key, size)
redis.call('HINCRBY', KEYS[2], 'total', size)
return 1
`

/** Forgets some responses, so that no one waits long. Returns how many. */
const clearScript = `${dropScript}
local found = redis.call('ZRANGE', KEYS[1], 0, 499)
for _, key in ipairs(found) do drop(key) end
if #found == 0 then redis.call('UNLINK', KEYS[2]) end
return #found
`

/** ARGV: the time. Forgets what has ended, then counts. */
const heldScript = `${dropScript}
for _, ended in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 500)) do drop(ended) end
return {redis.call('ZCARD', KEYS[1]), tonumber(redis.call('HGET', KEYS[2], 'total') or '0')}
`

/** Keeps responses in Redis for all workers, each sealed and bound to its key. Those that end first leave first. */
export class RedisResponses {
  readonly #link: RedisLink
  readonly #options: RedisResponsesOptions

  constructor(url: string, options: RedisResponsesOptions) {
    this.#options = options
    this.#link = RedisLink.open(url, options)
  }

  get isAway(): boolean {
    return this.#link.isAway
  }

  /** Resolves with a response, or with what the alternative finds while Redis is away. */
  find(key: string, other: () => Promise<StoredResponse | null>): Promise<StoredResponse | null> {
    return this.#link.orElse(async () => {
      const sealed = await this.#link.client.get(prefix + key)
      return sealed === null ? null : this.#open(key, sealed)
    }, other)
  }

  async keep(key: string, response: StoredResponse, terms: KeepTerms, other: () => Promise<void>): Promise<void> {
    const { seal, clock } = this.#options
    await this.#link.orElse(async () => {
      const text = `${response.facts}\n${Buffer.from(response.body).toString()}`
      const sealed = seal.seal(text, `stored_responses#${key}`)
      const size = bytesOfResponse(key, response) - response.body.byteLength - response.facts.length + sealed.length
      await this.#run(keepScript, key, sealed, size, terms.ttlMs, clock.now(), terms.maxBytes)
    }, other)
  }

  /** Resolves with whether Redis forgot all of them. */
  async clear(): Promise<boolean> {
    await this.#link.whenKnown()
    for (;;) {
      const count = await this.#link.orElse<unknown>(
        () => this.#run(clearScript),
        () => Promise.resolve(null),
      )
      if (count === null) return false
      if (count === 0) return true
    }
  }

  /** Resolves with what Redis holds; null while it is away. */
  async countHeld(): Promise<HeldResponses | null> {
    await this.#link.whenKnown()
    const counted = await this.#link.orElse<unknown>(
      () => this.#run(heldScript, this.#options.clock.now()),
      () => Promise.resolve(null),
    )
    return Array.isArray(counted) ? { entries: Number(counted[0]), bytes: Number(counted[1]) } : null
  }

  close(): void {
    this.#link.close()
  }

  #run(script: string, ...parameters: readonly (string | number)[]): Promise<unknown> {
    return this.#link.client.eval(script, 2, endsKey, sizesKey, ...parameters)
  }

  /** What another key sealed, or was moved here, counts as absent. */
  #open(key: string, sealed: string): StoredResponse | null {
    try {
      const text = this.#options.seal.open(sealed, `stored_responses#${key}`)
      const end = text.indexOf('\n')
      return { facts: text.slice(0, end), body: Buffer.from(text.slice(end + 1)) }
    } catch {
      return null
    }
  }
}
