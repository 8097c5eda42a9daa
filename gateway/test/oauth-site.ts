import { startGitHub, startLinuxDo, startWeChatServer } from '@tollgate/simulator'
import { z } from 'zod'

import type { Context } from '../src/context'
import { oauthHandlers } from '../src/console-api/oauth/oauth'
import { stepUpProof, credentialsOf } from '../src/accounts/sessions/step-up'
import type { DatabaseKind } from '../src/platform/store/database'
import { aBrowser, type Browser } from './browser'
import { createTestConsole, type SignedIn, type TestConsole } from './console-client'
import { setOptionsIn } from './options'
import { createWorld } from './world'
import { WallClock } from './fake-time'

export const botToken = '123456:TEST'

/** A site with every external sign-in enabled, and stand-ins for the providers. */
export async function anOAuthSite(kind: DatabaseKind) {
  // Its clock stands still between steps: assertions of providers expire within seconds.
  const clock = new WallClock()
  const github = startGitHub()
  const linuxdo = startLinuxDo()
  const bridge = startWeChatServer()
  const world = await createWorld({
    kind,
    clock,
    environment: { GITHUB_URL: github.url, GITHUB_API_URL: github.url, LINUXDO_URL: linuxdo.url },
  })
  const { ctx } = world
  const site = createTestConsole(ctx, oauthHandlers)
  const address = 'https://gate.example.com'
  github.callbackUrl = `${address}/oauth/github`
  linuxdo.callbackUrl = `${address}/oauth/linuxdo`
  await setOptionsIn(ctx, {
    ServerAddress: address,
    GitHubOAuthEnabled: 'true',
    GitHubClientId: github.clientId,
    GitHubClientSecret: github.clientSecret,
    LinuxDOOAuthEnabled: 'true',
    LinuxDOClientId: linuxdo.clientId,
    LinuxDOClientSecret: linuxdo.clientSecret,
    WeChatAuthEnabled: 'true',
    WeChatServerAddress: bridge.url,
    WeChatServerToken: bridge.token,
    TelegramOAuthEnabled: 'true',
    TelegramBotToken: botToken,
  })
  return {
    ctx,
    site,
    github,
    linuxdo,
    bridge,
    set: (values: Record<string, string>) => setOptionsIn(ctx, values),
    passSeconds: (seconds: number) => clock.jump(seconds * 1000),
    now: () => ctx.clock.seconds(),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await Promise.all([github.stop(), linuxdo.stop(), bridge.stop()])
    },
  }
}
export type OAuthSite = Awaited<ReturnType<typeof anOAuthSite>>

const Body = z.looseObject({
  data: z.unknown(),
  authorize_url: z.string().nullish(),
  action: z.string().optional(),
  return_to: z.string().nullish(),
  second_factor: z.object({ return_to: z.string().optional() }).optional(),
})

/** Resolves with the parts of a response that tests check. */
const read = async (response: ReturnType<Browser['call']>) => {
  const { outcome, status, text } = await response
  const {
    data,
    authorize_url: authorizeUrl,
    action,
    return_to: returnTo,
    second_factor: secondFactor,
  } = Body.parse({ data: null, ...JSON.parse(text) })
  const user = z.object({ id: z.number(), username: z.string(), display_name: z.string() }).safeParse(data).data
  return { outcome, status, data, user, authorizeUrl, action, returnTo, secondFactor }
}

const queryOf = (query: Readonly<Record<string, string>>) => new URLSearchParams(query).toString()

/** A browser that goes to a provider and back. */
export function aTraveller(site: TestConsole, options: Parameters<typeof aBrowser>[1] = {}) {
  const cookies = options.cookies ?? new Map<string, string>()
  const browser = aBrowser(site, { ...options, cookies })
  const call = (method: string, path: string, sent?: Parameters<Browser['call']>[2]) =>
    read(browser.call(method, path, sent))
  return {
    call,
    /** The same browser with another session, or none. */
    with: (as?: SignedIn) => aTraveller(site, { ...options, as, cookies }),
    get: (path: string, query: Readonly<Record<string, string>> = {}, headers?: Record<string, string>) =>
      call('GET', `${path}?${queryOf(query)}`, { headers }),
    /** Begins a sign-in. Resolves with the state and the authorize URL. */
    async begin(provider: string, query: Readonly<Record<string, string>> = {}, headers?: Record<string, string>) {
      const response = await call('GET', `/api/oauth/state?${queryOf({ provider, ...query })}`, { headers })
      return { ...response, state: String(response.data), authorizeUrl: response.authorizeUrl ?? '' }
    },
    /** Visits the authorize URL. Resolves with the query of the redirect back. */
    async visit(authorizeUrl: string): Promise<Record<string, string>> {
      const { headers } = await fetch(authorizeUrl, { redirect: 'manual' })
      return Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)
    },
    /** Signs in from start to end. Resolves with the response of the callback. */
    async signIn(provider: 'github' | 'linuxdo', query: Readonly<Record<string, string>> = {}) {
      const { authorizeUrl } = await this.begin(provider, query)
      return this.get(`/api/oauth/${provider}`, await this.visit(authorizeUrl))
    },
  }
}

/** Returns the header with a step-up proof for linking. */
export async function proofOf(ctx: Context, { userId, cookie }: SignedIn): Promise<Record<string, string>> {
  const request = new Request('http://gate.test', { headers: { Cookie: cookie } })
  const input = { ctx, request, caller: { userId, isByAccessToken: false } }
  return { 'Tollgate-Step-Up': stepUpProof(input, 'identity', await credentialsOf(input)).proof }
}
