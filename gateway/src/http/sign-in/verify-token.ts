import { z } from 'zod'

import { AppError } from '../../app-error'
import type { Context } from '../../context'

const answerMs = 10_000

const Verified = z.looseObject({
  success: z.boolean(),
  hostname: z.string().optional(),
  action: z.string().optional(),
})

/** Verifies a token with Turnstile. @throws AppError `turnstile.unreachable`. */
export async function verifyToken(
  token: string,
  { ctx, clientIp }: { readonly ctx: Context; readonly clientIp: string },
): Promise<z.output<typeof Verified>> {
  const { TurnstileSecretKey: secret } = ctx.catalog.current.options
  try {
    const response = await ctx.fetch(`${ctx.config.serviceUrls.turnstile}/turnstile/v0/siteverify`, {
      method: 'POST',
      body: new URLSearchParams({ secret, response: token, remoteip: clientIp }),
      signal: AbortSignal.timeout(answerMs),
      redirect: 'error',
    })
    return Verified.parse(await response.json())
  } catch (error) {
    ctx.log.warn({ error }, 'Turnstile could not be reached')
    throw new AppError('turnstile.unreachable', { cause: error })
  }
}
