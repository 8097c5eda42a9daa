import { optionRoutes, type RouteData } from '@tollgate/contract'

import { callSearchService, SearchRefused } from '../../channels/web-search/search-web'
import type { Context } from '../../context'
import { mask } from '../../platform/text/mask'
import { adminLog } from '../../billing/ledger/event-logs'
import { mailAddress } from '../../accounts/users/mail-address'
import { handler, type Handler, type Call } from '../../http/handler'
import { sendTestMail } from '../../messaging/mail/send-test-mail'
import { testBucket } from '../../tasks/bucket/bucket-objects'
import { changeOptions } from './change-options'
import { listOptions } from './list-options'
import { optionHistory } from './option-history'
import { testEvents } from './test-events'
import { clientAddress, forwardingHeaders, isTrustedProxy } from '../../http/request/client-address'

export const optionHandlers: readonly Handler[] = [
  handler(optionRoutes.listOptions, (_input, { ctx, caller }) => listOptions(ctx, caller)),
  handler(optionRoutes.setOption, async ({ body }, call) => {
    await changeOptions([body], call)
    recordInLog([body], call)
    return undefined
  }),
  handler(optionRoutes.setOptions, async ({ body }, call) => {
    await changeOptions(body.items, call)
    recordInLog(body.items, call)
    return undefined
  }),
  handler(optionRoutes.optionHistory, ({ query }, { ctx, caller }) => optionHistory(query, ctx, caller)),
  handler(optionRoutes.proxyView, (_input, call) => Promise.resolve(proxyView(call))),
  handler(optionRoutes.testMail, async ({ body }, { ctx, language }) => {
    await sendTestMail(ctx, { to: mailAddress(body.recipient), language })
    return undefined
  }),
  handler(optionRoutes.testEvents, (_input, call) => testEvents(call)),
  handler(optionRoutes.testWebSearch, ({ body }, { ctx }) => testWebSearch(body.query, ctx)),
  handler(optionRoutes.testBucket, async (_input, { ctx }) => {
    await testBucket(ctx)
    return undefined
  }),
]

/** Logs which settings changed, never their values, which may be secret. */
function recordInLog(
  changes: readonly { readonly key: string }[],
  { ctx, caller, clientIp, requestId }: Call<'user'>,
): void {
  const keys = [...new Set(changes.map(({ key }) => key))]
  const entry = adminLog({
    createdAt: ctx.clock.seconds(),
    admin: caller,
    clientIp,
    userId: caller.userId,
    username: caller.username,
    text: { code: 'log.options_changed', params: { keys: keys.join(', ') } },
    details: { keys },
  })
  ctx.ledger.record(requestId, entry)
}

type ProxyView = RouteData<typeof optionRoutes.proxyView>

/** How much of another program's header a super admin may read. */
const maxHeaderLength = 500

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
      return value === null ? [] : [{ name, value: value.slice(0, maxHeaderLength) }]
    }),
    address: clientIp,
    address_if_enabled: clientAddress(request, peer, trustedProxies, options),
    has_trusted_proxies: trustedProxies.length > 0,
    is_peer_trusted: isTrustedProxy(peer, trustedProxies),
  }
}

type WebSearchTest = optionRoutes.WebSearchTest

const maxExcerptLength = 500

/** Searches the web with the stored settings. Resolves with what was found, or with what the service responded. */
async function testWebSearch(
  query: string,
  { catalog, clock, fetch }: Pick<Context, 'catalog' | 'clock' | 'fetch'>,
): Promise<WebSearchTest> {
  const { options } = catalog.current
  const startedAt = clock.monotonic()
  const report = (result: Partial<WebSearchTest>): WebSearchTest => {
    const took = Math.round(clock.monotonic() - startedAt)
    return { outcome: 'found', took, pages: [], status: 0, excerpt: '', ...result }
  }
  if (options.WebSearchService === 'off') return report({ outcome: 'off' })
  try {
    const pages = await callSearchService(query, options, { fetch })
    return report({ pages: pages.map(({ url, title }) => ({ url, title })) })
  } catch (error) {
    if (error instanceof SearchRefused) {
      const excerpt = mask(error.excerpt.slice(0, maxExcerptLength), [options.WebSearchKey])
      return report({ outcome: 'refused', status: error.status, excerpt })
    }
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    return report({ outcome: isTimeout ? 'timeout' : 'unreachable' })
  }
}
