import type { OptionValues } from '@tollgate/contract'
import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client'

import { AppError } from '../../app-error'
import type { Context } from '../../context'
import { providerFetch } from './provider-fetch'
import { providerError } from './provider-names'

/** Whoever reads a discovery document needs no name. */
const unnamed = 'none'
const suffix = '/.well-known/openid-configuration'
/** By how much the clocks of the provider and of this machine may differ. */
const toleranceSeconds = 60

/** Loaded with the first sign-in: it is rare, and the library is large. */
export const openidClient = () => import('openid-client')

/**
 * Resolves with the provider as its discovery document describes it now, ready to be asked. Nothing is kept: keys that were rotated
 * and endpoints that moved are in force at once.
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
  // Without it the library relies on TLS alone for tokens that it fetched itself.
  client.enableNonRepudiationChecks(configuration)
  if (isPlainHttp(options['oidc.well_known'])) client.allowInsecureRequests(configuration)
  return configuration
}

/**
 * Resolves with what a discovery document says.
 * @throws AppError `oauth.unreachable`, `oauth.discovery`.
 */
export async function discover(ctx: Pick<Context, 'fetch' | 'log'>, wellKnown: string): Promise<Configuration> {
  const client = await openidClient()
  if (!URL.canParse(wellKnown)) throw new AppError('oauth.discovery')
  const server = new URL(wellKnown.includes('/.well-known/') ? wellKnown : `${wellKnown.replace(/\/$/, '')}${suffix}`)
  try {
    const discovered = await client.discovery(server, unnamed, undefined, client.None(), {
      execute: isPlainHttp(wellKnown) ? [client.allowInsecureRequests] : [],
      [client.customFetch]: fetchFor(ctx),
    })
    const { issuer } = discovered.serverMetadata()
    // A document that speaks for another issuer than the one that was asked would let that one vouch for everybody.
    if (`${issuer.replace(/\/$/, '')}${suffix}` !== server.href) throw new Error(`The issuer is ${issuer}`)
    return discovered
  } catch (error) {
    if (isUnreachable(error)) throw providerError('oauth.unreachable', 'oidc', { cause: error })
    ctx.log.warn({ err: error }, 'a discovery document of OpenID Connect cannot be used')
    throw new AppError('oauth.discovery', { cause: error })
  }
}

/** What is sent is a form or has no body. */
const fetchFor = (ctx: Pick<Context, 'fetch' | 'log'>): CustomFetch => {
  const send = providerFetch(ctx, 'oidc')
  return (url, { method, headers, body }) =>
    send(url, { method, headers, body: body instanceof URLSearchParams ? body : undefined })
}

/** The library wraps what the fetch it was given throws. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof AppError ? error.code === 'oauth.unreachable' : error instanceof Error && isUnreachable(error.cause)

/** Endpoints that the operator set go before those of the document: they may be reached another way from here. */
const overrides = (options: OptionValues): Partial<ServerMetadata> => ({
  ...(options['oidc.authorization_endpoint'] && { authorization_endpoint: options['oidc.authorization_endpoint'] }),
  ...(options['oidc.token_endpoint'] && { token_endpoint: options['oidc.token_endpoint'] }),
  ...(options['oidc.user_info_endpoint'] && { userinfo_endpoint: options['oidc.user_info_endpoint'] }),
})

const isPlainHttp = (address: string): boolean => /^http:/i.test(address)

/** In the header unless the provider takes the secret in the body alone: the default of the protocol. */
function clientAuthentication(
  { ClientSecretBasic, ClientSecretPost }: Awaited<ReturnType<typeof openidClient>>,
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: ServerMetadata,
  secret: string,
): ClientAuth {
  return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}
