import type { Config } from '../../config'
import { isTrustedProxy } from './client-address'

const loopbackPeer = /^(?:127\.|::1$|::ffff:127\.)/
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/** Headers that proxies add to the requests they pass on. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
] as const

/**
 * Returns whether a request was made by a program on this machine: from a loopback address that is not a trusted proxy,
 * to a loopback host, with no header of a proxy, and not by another site's page.
 */
export function isDirectLocal(
  { headers }: Pick<Request, 'headers'>,
  peer: string,
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
): boolean {
  if (!loopbackPeer.test(peer) || isTrustedProxy(peer, trustedProxies)) return false
  const host = headers.get('host') ?? ''
  if (!loopbackHost.test(host) || proxyHeaders.some((name) => headers.has(name))) return false
  const origin = headers.get('origin')
  return origin === null || (URL.canParse(origin) && new URL(origin).host === host.toLowerCase())
}
