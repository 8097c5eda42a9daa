import { timingSafeEqual } from 'node:crypto'

import type { Context } from '../context'

type Deps = Pick<Context, 'catalog' | 'seal'>

/**
 * Returns where a vendor may report that something happened to a task: an address that cannot be guessed. Null where the site's own address
 * is that of this machine.
 */
export function callbackUrlOf({ catalog, seal }: Deps, publicId: string): string | null {
  const site = URL.parse(catalog.current.options.ServerAddress)
  if (!site || /^(?:localhost|127\.|\[::1\])/.test(site.hostname)) return null
  return site.origin + callbackPathOf({ seal }, publicId)
}

export const callbackPathOf = (deps: Pick<Deps, 'seal'>, publicId: string): string =>
  `/v1/tasks/${publicId}/callback/${signatureOf(deps, publicId)}`

/** Returns whether this is the end of the task's own address. */
export function isCallback(deps: Pick<Deps, 'seal'>, publicId: string, signature: string): boolean {
  const [received, expected] = [Buffer.from(signature), Buffer.from(signatureOf(deps, publicId))]
  return received.length === expected.length && timingSafeEqual(received, expected)
}

const signatureOf = ({ seal }: Pick<Deps, 'seal'>, publicId: string): string => seal.sign('task-callback', publicId)
