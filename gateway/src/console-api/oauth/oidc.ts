import { createHash } from 'node:crypto'

import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import { z } from 'zod'

import type { Context } from '../../context'
import type { Profile } from './external-account'
import { isUnreachable, oidcConfiguration, openidClient } from './oidc-configuration'
import { providerError } from './provider-fetch'
import { callbackUrl, type RedirectSignIn, type Returned } from './redirect-sign-in'

const provider = 'oidc'
const maxSubjectLength = 255

/** Profile claims of the ID token and the user info. Malformed ones are ignored. */
const Claims = z.object({
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
  email: z.string().optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
})

/**
 * OpenID Connect, authorization code flow with PKCE: https://openid.net/specs/openid-connect-core-1_0.html. The PKCE verifier
 * (https://www.rfc-editor.org/rfc/rfc7636) and the nonce are derived from the state, so neither is stored.
 */
export const oidc: RedirectSignIn = {
  provider,
  isOpenToAnyClient: false,
  isOn: (options) => options['oidc.enabled'],
  async prepare(ctx) {
    const redirectUri = callbackUrl(ctx.catalog.current.options, provider)
    const configuration = await oidcConfiguration(ctx)
    const { buildAuthorizationUrl } = await openidClient()
    return {
      issuer: configuration.serverMetadata().issuer,
      authorizeUrl: (state) =>
        buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: 'openid profile email',
          state,
          nonce: nonceOf(ctx, state),
          code_challenge: createHash('sha256').update(verifierOf(ctx, state)).digest('base64url'),
          code_challenge_method: 'S256',
        }).href,
    }
  },
  async accountOf(ctx, returned) {
    const configuration = await oidcConfiguration(ctx)
    const { issuer } = configuration.serverMetadata()
    if (issuer !== returned.issuer) throw providerError(ctx, 'oauth.refused', provider)
    const tokens = await exchangeCode(ctx, configuration, returned)
    const claims = tokens.claims()
    const subject = claims?.sub.trim() ?? ''
    if (!claims || subject === '' || subject.length > maxSubjectLength)
      throw providerError(ctx, 'oauth.empty', provider)
    return {
      provider,
      // A subject is unique within its issuer only: after a change of provider the same one is another person.
      subject: `${issuer}|${subject}`,
      profile: async () => profileOf({ ...claims, ...(await userInfo(ctx, configuration, tokens, subject)) }),
    }
  },
}

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

const verifierOf = ({ seal }: Context, state: string) => seal.sign('oidc-verifier', state)
const nonceOf = ({ seal }: Context, state: string) => seal.sign('oidc-nonce', state)

/** Exchanges the code and validates the ID token: signature, issuer, audience, expiry and nonce. */
async function exchangeCode(ctx: Context, configuration: Configuration, returned: Returned): Promise<Tokens> {
  const { authorizationCodeGrant } = await openidClient()
  const { code, state, iss } = returned
  const current = new URL(callbackUrl(ctx.catalog.current.options, provider))
  for (const [name, value] of Object.entries({ code, state, iss })) {
    if (value !== undefined) current.searchParams.set(name, value)
  }
  return authorizationCodeGrant(configuration, current, {
    expectedState: state,
    expectedNonce: nonceOf(ctx, state),
    pkceCodeVerifier: verifierOf(ctx, state),
    idTokenExpected: true,
  }).catch((error: unknown) => rethrowRefusal(ctx, error))
}

/** Resolves with the claims of the user info endpoint, if there is one. Its subject must match the ID token's. */
async function userInfo(ctx: Context, configuration: Configuration, tokens: Tokens, subject: string): Promise<object> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
  const { fetchUserInfo } = await openidClient()
  return fetchUserInfo(configuration, tokens.access_token, subject).catch((error: unknown) =>
    rethrowRefusal(ctx, error),
  )
}

function rethrowRefusal(ctx: Context, error: unknown): never {
  if (isUnreachable(error)) throw providerError(ctx, 'oauth.unreachable', provider, { cause: error })
  ctx.log.warn({ err: error }, 'a response of the OpenID provider was rejected')
  throw providerError(ctx, 'oauth.refused', provider, { cause: error })
}

function profileOf(rawClaims: object): Profile {
  const claims = Claims.parse(rawClaims)
  return {
    displayName: claims.name ?? claims.preferred_username,
    username: claims.preferred_username,
    email: claims.email_verified === true ? claims.email : undefined,
  }
}
