import { useSite } from '../api/status'

/**
 * Returns the gateway's address for programs, without a trailing slash: the operator's setting, or else the page's origin. The setting
 * starts as a loopback address, which means nothing elsewhere and is ignored.
 */
export function useServerAddress(): string {
  const { server_address: configured } = useSite()
  return serverAddress(configured, location.origin)
}

export function serverAddress(configured: string, origin: string): string {
  const host = URL.canParse(configured) ? new URL(configured).hostname : ''
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|)$/.test(host)
  return (isLocal ? origin : configured).replace(/(?<!\/)\/+$/, '')
}
