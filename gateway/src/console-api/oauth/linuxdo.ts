import { z } from 'zod'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { providerError, providerFetch, readJsonResponse } from './provider-fetch'
import { callbackUrl, withQuery, type RedirectSignIn } from './redirect-sign-in'

const provider = 'linuxdo'

const TokenResponse = z.object({ access_token: z.string().min(1) })
const LinuxDoUser = z.object({
  id: z.number().int().positive(),
  username: z.string(),
  name: z.string().nullish(),
  /** 0 to 4. */
  trust_level: z.number().int(),
})

/** Linux DO's Connect. */
export const linuxdo: RedirectSignIn = {
  provider,
  isOpenToAnyClient: true,
  isOn: (options) => options.LinuxDOOAuthEnabled,
  prepare({ catalog, config }) {
    const { options } = catalog.current
    const redirectUri = callbackUrl(options, provider)
    return Promise.resolve({
      issuer: '',
      authorizeUrl: (state) =>
        withQuery(`${config.serviceUrls.linuxdo}/oauth2/authorize`, {
          response_type: 'code',
          client_id: options.LinuxDOClientId,
          redirect_uri: redirectUri,
          state,
        }),
    })
  },
  async accountOf(ctx, { code }) {
    const headers = { Authorization: `Bearer ${await accessToken(ctx, code)}`, Accept: 'application/json' }
    const response = await providerFetch(ctx, provider)(`${ctx.config.serviceUrls.linuxdo}/api/user`, { headers })
    const user = await readJsonResponse(response, LinuxDoUser)
    if (!user) throw providerError(ctx, 'oauth.empty', provider)
    return {
      provider,
      subject: String(user.id),
      // A minimum that is raised later does not lock out existing members.
      checkNew() {
        const { LinuxDOMinimumTrustLevel: minLevel } = ctx.catalog.current.options
        if (user.trust_level < minLevel) throw new AppError('oauth.trust', { params: { level: minLevel } })
      },
      profile: () => Promise.resolve({ displayName: user.name || user.username, username: user.username }),
    }
  },
}

async function accessToken(ctx: Context, code: string): Promise<string> {
  const { options } = ctx.catalog.current
  const client = Buffer.from(`${options.LinuxDOClientId}:${options.LinuxDOClientSecret}`).toString('base64')
  const response = await providerFetch(ctx, provider)(`${ctx.config.serviceUrls.linuxdo}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${client}`, Accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: callbackUrl(options, provider),
    }),
  })
  const tokenResponse = await readJsonResponse(response, TokenResponse)
  if (!tokenResponse) throw providerError(ctx, 'oauth.refused', provider)
  return tokenResponse.access_token
}
