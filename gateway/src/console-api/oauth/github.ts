import { z } from 'zod'

import type { Context } from '../../context'
import { version } from '../../platform/config/version'
import type { ExternalAccount } from './external-account'
import { providerError, providerFetch, readJsonResponse } from './provider-fetch'
import { withQuery, type RedirectSignIn, type Returned } from './redirect-sign-in'

const provider = 'github'

const TokenResponse = z.object({ access_token: z.string().min(1) })
/** The numeric id is permanent. A login can be renamed, and the old one taken by another user. */
const GitHubUser = z.object({ id: z.number().int().positive(), login: z.string(), name: z.string().nullish() })
const GitHubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const github: RedirectSignIn = {
  provider,
  isOpenToAnyClient: true,
  isOn: (options) => options.GitHubOAuthEnabled,
  prepare: ({ catalog, config }) =>
    Promise.resolve({
      issuer: '',
      // Without a `redirect_uri` GitHub uses the callback URL registered for the application.
      authorizeUrl: (state) =>
        withQuery(`${config.serviceUrls.github}/login/oauth/authorize`, {
          client_id: catalog.current.options.GitHubClientId,
          scope: 'user:email',
          state,
        }),
    }),
  async accountOf(ctx, { code }) {
    const headers = await apiHeaders(ctx, code)
    const read = providerFetch(ctx, provider)
    const { githubApi } = ctx.config.serviceUrls
    const user = await readJsonResponse(await read(`${githubApi}/user`, { headers }), GitHubUser)
    if (!user) throw providerError(ctx, 'oauth.empty', provider)
    return {
      provider,
      subject: String(user.id),
      async profile() {
        const emails = await readJsonResponse(await read(`${githubApi}/user/emails`, { headers }), GitHubEmails)
        const email = emails?.find((entry) => entry.primary && entry.verified)?.email
        return { displayName: user.name ?? user.login, username: user.login, email }
      },
    } satisfies ExternalAccount
  },
}

async function apiHeaders(ctx: Context, code: Returned['code']): Promise<Record<string, string>> {
  const { GitHubClientId: clientId, GitHubClientSecret: clientSecret } = ctx.catalog.current.options
  const response = await providerFetch(ctx, provider)(`${ctx.config.serviceUrls.github}/login/oauth/access_token`, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, code }),
  })
  const tokenResponse = await readJsonResponse(response, TokenResponse)
  if (!tokenResponse) throw providerError(ctx, 'oauth.refused', provider)
  return {
    Authorization: `Bearer ${tokenResponse.access_token}`,
    Accept: 'application/vnd.github+json',
    'User-Agent': `Tollgate/${version}`,
  }
}
