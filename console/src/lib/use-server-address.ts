import { useSite } from './status'

/**
 * Where programs reach the gateway, without a trailing slash: what the operator set, else where the page comes from.
 * The option starts as this machine's own address, which means nothing elsewhere: such a one is not taken.
 */
export function useServerAddress(): string {
  const { server_address: configured } = useSite()
  return serverAddress(configured, location.origin)
}

export function serverAddress(configured: string, origin: string): string {
  const host = URL.canParse(configured) ? new URL(configured).hostname : ''
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|)$/.test(host)
  return (isLocal ? origin : configured).replace(/\/+$/, '')
}
