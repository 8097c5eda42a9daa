import type { Authorize, AuthTools, Provider, SharedToken, Target } from '../provider'
import { nameOf, requestToken, TokenCache } from './token-cache'

const monthSeconds = 30 * 24 * 60 * 60
const reserveMs = 60 * 60 * 1000

type Account = readonly [id: string, secret: string, baseUrl: string]

/** Access tokens, which last a month: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Dlkm79mnx. One worker fetches each of them. */
export class BaiduTokens {
  readonly #cache = new TokenCache()
  /** What the vendor refused last, by account: the other workers may know it still. */
  readonly #refused = new Map<string, string>()

  /** A key without a secret is a token already. @throws TypeError for a key of another form, or one that Baidu refuses. */
  readonly authorize: Authorize = async (_request, target, tools) => {
    if (!target.key.includes('|')) return { query: { access_token: target.key.trim() } }
    const account = accountOf(target)
    if (account === null) throw new TypeError('The key must be APIKey|SecretKey')
    return { query: { access_token: await this.#cache.token(account, tools, () => this.#findToken(account, tools)) } }
  }

  /** Forgets the token that the vendor refused. Returns whether another one may be had. */
  readonly renew: NonNullable<Provider['renew']> = (target, { query }, nowMs) => {
    const account = accountOf(target)
    const token = query?.['access_token']
    if (!account || token === undefined || !this.#cache.forget(account, token, nowMs)) return false
    this.#refused.set(sharedNameOf(account), token)
    return true
  }

  async #findToken(account: Account, tools: AuthTools): Promise<SharedToken> {
    const name = sharedNameOf(account)
    const known = await tools.sharedTokens?.read(name)
    if (known && known.goodUntil > tools.now() && known.text !== this.#refused.get(name)) return known
    const fetched = await fetchToken(account, tools)
    await tools.sharedTokens?.write(name, fetched)
    return fetched
  }
}

const sharedNameOf = (account: Account): string => `baidu:${nameOf(account)}`

/** Null for a key of another form. */
function accountOf({ key, baseUrl }: Pick<Target, 'key' | 'baseUrl'>): Account | null {
  const [id, secret, ...rest] = key.split('|').map((part) => part.trim())
  return id && secret && rest.length === 0 ? [id, secret, baseUrl] : null
}

async function fetchToken([id, secret, baseUrl]: Account, tools: AuthTools): Promise<SharedToken> {
  const requestedAtMs = tools.now()
  const query = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret })
  const url = `${baseUrl}/oauth/2.0/token?${query.toString()}`
  const { text, seconds } = await requestToken({ name: 'Baidu', url, usualSeconds: monthSeconds }, tools)
  return { text, goodUntil: requestedAtMs + seconds * 1000 - reserveMs }
}
