import { timingSafeEqual } from 'node:crypto'

import type { Context } from '../context'

type Parts = Pick<Context, 'catalog' | 'seal'>

/**
 * Returns where a vendor may report that something happened to a task: an address that cannot be guessed. Null where the site's own address
 * is that of this machine.
 */
export function callbackUrlOf({ catalog, seal }: Parts, publicId: string): string | null {
  const site = URL.parse(catalog.current.options.ServerAddress)
  if (!site || /^(?:localhost|127\.|\[::1\])/.test(site.hostname)) return null
  return site.origin + callbackPathOf({ seal }, publicId)
}

export const callbackPathOf = (parts: Pick<Parts, 'seal'>, publicId: string): string =>
  `/v1/tasks/${publicId}/callback/${signatureOf(parts, publicId)}`

/** Returns whether this is the end of the task's own address. */
export function isCallback(parts: Pick<Parts, 'seal'>, publicId: string, signature: string): boolean {
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(parts, publicId))]
  return given.length === right.length && timingSafeEqual(given, right)
}

const signatureOf = ({ seal }: Pick<Parts, 'seal'>, publicId: string): string => seal.sign('task-callback', publicId)
