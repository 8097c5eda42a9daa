import ipaddr from 'ipaddr.js'

import { AppError } from '../../platform/app-error'
import type { Call } from '../handler'

/** What passkeys are bound to: https://www.w3.org/TR/webauthn-3/#relying-party-identifier */
export interface PasskeySite {
  readonly rpId: string
  readonly origin: string
  readonly name: string
}

const isLoopbackName = (host: string) => host === 'localhost' || host.endsWith('.localhost')

/**
 * Returns the site as browsers see it: by the option `ServerAddress`; where that only names this machine, by the request, if it used a
 * host name. Null where there is no name: browsers have no passkeys for bare addresses.
 */
export function passkeySiteOf({
  ctx,
  request,
  isSecure,
}: Pick<Call, 'ctx' | 'request' | 'isSecure'>): PasskeySite | null {
  const { ServerAddress, SystemName: name } = ctx.catalog.current.options
  const set = URL.canParse(ServerAddress) ? new URL(ServerAddress) : null
  if (set && !isLoopbackName(set.hostname)) {
    return ipaddr.isValid(set.hostname.replace(/^\[|\]$/g, ''))
      ? null
      : { rpId: set.hostname, origin: set.origin, name }
  }
  const address = `${isSecure ? 'https' : 'http'}://${request.headers.get('host') ?? new URL(request.url).host}`
  const requested = URL.canParse(address) ? new URL(address) : null
  return requested && isLoopbackName(requested.hostname)
    ? { rpId: requested.hostname, origin: requested.origin, name }
    : null
}

/** @throws AppError `passkey.no_address`. */
export function requirePasskeySite(call: Pick<Call, 'ctx' | 'request' | 'isSecure'>): PasskeySite {
  const site = passkeySiteOf(call)
  if (!site) throw new AppError('passkey.no_address')
  return site
}
