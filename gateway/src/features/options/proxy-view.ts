import type { optionRoutes, RouteData } from '@tollgate/contract'

import { clientAddress, forwardingHeaders, isTrustedProxy } from '../../http/client-address'
import type { Call } from '../../http/handler'

type ProxyView = RouteData<typeof optionRoutes.proxyView>

/** What a super admin may read of a header that another program wrote. */
const longestHeader = 500

/** How this very call reached the gateway, and whose address it takes for the caller's. */
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
