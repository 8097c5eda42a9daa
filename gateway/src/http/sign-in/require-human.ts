import type { Route } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Limiter } from '../limits/limiter'
import { sha256 } from '../../platform/store/seal'

/** The lifetime of a token at Cloudflare: https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const tokenSeconds = 300

/** Cloudflare's secrets for tests name another host in what they verify. */
const testSecret = /^[123]x0{30,}AA$/

interface CheckedRequest {
  readonly ctx: Context
  readonly clientIp: string
  /** Counts for all workers. */
  readonly limiter: Limiter
}

/**
 * Requires a solved Turnstile where the route wants one and the site has it enabled. A token is accepted once, for the form it was solved
 * on, and only from a page of this site.
 * @throws AppError `turnstile.empty`, `turnstile.failed`, `turnstile.unreachable`.
 */
export async function requireHuman({ botCheck }: Route, query: object, checked: CheckedRequest): Promise<void> {
  const { options } = checked.ctx.catalog.current
  if (botCheck === undefined || !options.TurnstileCheckEnabled) return
  const parameter: unknown = Reflect.get(query, 'turnstile')
  const token = typeof parameter === 'string' ? parameter.trim() : ''
  if (token === '') throw new AppError('turnstile.empty')
  const once = { points: 1, durationSeconds: tokenSeconds }
  const { allowed } = await checked.limiter.consume(`turnstile:${sha256(token)}`, once)
  if (!allowed) throw new AppError('turnstile.failed')
  // Loaded only where a site uses it.
  const { verifyToken } = await import('./verify-token')
  const { success, hostname = '', action = '' } = await verifyToken(token, checked)
  const isOwnHost = testSecret.test(options.TurnstileSecretKey) || isHostOf(options.ServerAddress, hostname)
  if (!success || !isOwnHost || (action !== '' && action !== botCheck)) throw new AppError('turnstile.failed')
}

/** A local address does not allow a comparison. */
function isHostOf(serverAddress: string, hostname: string): boolean {
  const own = URL.canParse(serverAddress) ? new URL(serverAddress).hostname : ''
  return own === '' || own === 'localhost' || own === hostname
}
