import type { optionRoutes, RouteData } from '@tollgate/contract'

import { clientAddress, forwardingHeaders, isTrustedProxy } from '../../http/request/client-address'
import type { Call } from '../../http/handler'

type ProxyView = RouteData<typeof optionRoutes.proxyView>

/** How much of another program's header a super admin may read. */
const longestHeader = 500

/** Returns how this very call reached the gateway, and the caller's address as the gateway sees it. */
export function proxyView({
  ctx,
  request,
  peer,
  clientIp,
}: Pick<Call, 'ctx' | 'request' | 'peer' | 'clientIp'>): ProxyView {
  const { trustedProxies } = ctx.config
  const options = { ...ctx.catalog.current.options, ReverseProxyEnabled: true }
  return {
    peer: clientAddress(request, peer, [], options),
    headers: forwardingHeaders.flatMap((name) => {
      const value = request.headers.get(name)
      return value === null ? [] : [{ name, value: value.slice(0, longestHeader) }]
    }),
    address: clientIp,
    address_if_enabled: clientAddress(request, peer, trustedProxies, options),
    has_trusted_proxies: trustedProxies.length > 0,
    is_peer_trusted: isTrustedProxy(peer, trustedProxies),
  }
}
