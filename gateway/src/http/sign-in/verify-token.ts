import { z } from 'zod'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'

type VerifyContext = Pick<Context, 'config' | 'fetch' | 'log'>

const responseTimeoutMs = 10_000

const Verified = z.looseObject({
  success: z.boolean(),
  hostname: z.string().optional(),
  action: z.string().optional(),
  'error-codes': z.array(z.string()).default([]),
})

/** Verifies a token with Turnstile. @throws AppError `turnstile.unreachable`. */
export const verifyToken = (token: string, { ctx, clientIp }: { readonly ctx: Context; readonly clientIp: string }) =>
  siteVerify({ secret: ctx.catalog.current.options.TurnstileSecretKey, response: token, remoteip: clientIp }, ctx)

/**
 * Asks Turnstile whether it knows a secret, by a token that it did not issue.
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/#error-codes
 * @throws AppError `turnstile.secret`, `turnstile.unreachable`.
 */
export async function checkTurnstileSecret(secret: string, ctx: VerifyContext): Promise<void> {
  const { 'error-codes': errors } = await siteVerify({ secret, response: 'check' }, ctx)
  if (errors.includes('invalid-input-secret'))
    throw new AppError('turnstile.secret', { envelopeFields: { field: 'TurnstileSecretKey' } })
}

async function siteVerify(form: Record<string, string>, ctx: VerifyContext): Promise<z.output<typeof Verified>> {
  try {
    const response = await ctx.fetch(`${ctx.config.serviceUrls.turnstile}/turnstile/v0/siteverify`, {
      method: 'POST',
      body: new URLSearchParams(form),
      signal: AbortSignal.timeout(responseTimeoutMs),
      redirect: 'error',
    })
    return Verified.parse(await response.json())
  } catch (error) {
    ctx.log.warn({ error }, 'Turnstile could not be reached')
    throw new AppError('turnstile.unreachable', { cause: error })
  }
}
