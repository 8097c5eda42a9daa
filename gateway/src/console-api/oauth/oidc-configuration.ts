import type { OptionValues } from '@tollgate/contract'
import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { providerError, providerFetch } from './provider-fetch'

/** Reading a discovery document needs no client id, but the library asks for one. */
const unnamed = 'none'
const suffix = '/.well-known/openid-configuration'
/** Tolerance for clock skew between the provider and this machine. */
const toleranceSeconds = 60

/** Loads the library on first use: sign-ins are rare, and an idle worker does without it. */
export const openidClient = () => import('openid-client')

/**
 * Resolves with the client configuration for the provider's current discovery document. Nothing is cached, so rotated keys and moved
 * endpoints take effect at once.
 * @throws AppError `oauth.unreachable`, `oauth.discovery`.
 */
export async function oidcConfiguration(ctx: Context): Promise<Configuration> {
  const { options } = ctx.catalog.current
  const client = await openidClient()
  const discovered = await discover(ctx, options['oidc.well_known'])
  const metadata = { ...discovered.serverMetadata(), ...overrides(options) }
  const tolerance = {
    [client.clockTolerance]: toleranceSeconds,
    [client.clockSkew]: Math.round((ctx.clock.now() - Date.now()) / 1000),
  }
  const authentication = clientAuthentication(client, metadata, options['oidc.client_secret'])
  const configuration = new client.Configuration(metadata, options['oidc.client_id'], tolerance, authentication)
  configuration[client.customFetch] = fetchFor(ctx)
  // Verifies the signature of ID tokens. By default the library relies on TLS for tokens from the token endpoint.
  client.enableNonRepudiationChecks(configuration)
  if (isPlainHttp(options['oidc.well_known'])) client.allowInsecureRequests(configuration)
  return configuration
}

/**
 * Reads a discovery document and checks that it belongs to the issuer of its URL.
 * @throws AppError `oauth.unreachable`, `oauth.discovery`.
 */
export async function discover(
  ctx: Pick<Context, 'fetch' | 'log' | 'catalog'>,
  wellKnown: string,
): Promise<Configuration> {
  const client = await openidClient()
  if (!URL.canParse(wellKnown)) throw new AppError('oauth.discovery')
  const server = new URL(wellKnown.includes('/.well-known/') ? wellKnown : `${wellKnown.replace(/\/$/, '')}${suffix}`)
  try {
    const discovered = await client.discovery(server, unnamed, undefined, client.None(), {
      execute: isPlainHttp(wellKnown) ? [client.allowInsecureRequests] : [],
      [client.customFetch]: fetchFor(ctx),
    })
    const { issuer } = discovered.serverMetadata()
    // https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfigurationValidation
    if (`${issuer.replace(/\/$/, '')}${suffix}` !== server.href) throw new Error(`The issuer is ${issuer}`)
    return discovered
  } catch (error) {
    if (isUnreachable(error)) throw providerError(ctx, 'oauth.unreachable', 'oidc', { cause: error })
    ctx.log.warn({ err: error }, 'an OpenID Connect discovery document cannot be used')
    throw new AppError('oauth.discovery', { cause: error })
  }
}

/** Adapts the bounded fetch to the library, which sends a form or no body. */
const fetchFor = (ctx: Pick<Context, 'fetch' | 'log' | 'catalog'>): CustomFetch => {
  const send = providerFetch(ctx, 'oidc')
  return (url, { method, headers, body }) =>
    send(url, { method, headers, body: body instanceof URLSearchParams ? body : undefined })
}

/** Whether the provider could not be reached. The library wraps errors of its fetch. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof AppError ? error.code === 'oauth.unreachable' : error instanceof Error && isUnreachable(error.cause)

/** Endpoints set by the operator override the discovered ones, for example when the gateway reaches them on another network. */
const overrides = (options: OptionValues): Partial<ServerMetadata> => ({
  ...(options['oidc.authorization_endpoint'] && { authorization_endpoint: options['oidc.authorization_endpoint'] }),
  ...(options['oidc.token_endpoint'] && { token_endpoint: options['oidc.token_endpoint'] }),
  ...(options['oidc.user_info_endpoint'] && { userinfo_endpoint: options['oidc.user_info_endpoint'] }),
})

const isPlainHttp = (address: string): boolean => /^http:/i.test(address)

/** Returns HTTP Basic authentication, the protocol's default, unless the provider only supports the secret in the body. */
function clientAuthentication(
  { ClientSecretBasic, ClientSecretPost }: Awaited<ReturnType<typeof openidClient>>,
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: ServerMetadata,
  secret: string,
): ClientAuth {
  return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}
