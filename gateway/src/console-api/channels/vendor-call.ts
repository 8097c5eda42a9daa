import { parseAnswer } from '@tollgate/dialects'
import type { VendorCall } from '@tollgate/providers'

import type { Context } from '../../context'
import { mask } from '../../platform/text/mask'
import { readBounded } from '@tollgate/http-client'

/** A request to a vendor other than a model call failed; the message has no secret and no address. */
export class VendorCallError extends Error {
  override readonly name = 'VendorCallError'
}

const timeoutMs = 10_000
const maxResponseBytes = 1024 * 1024

/**
 * Reads JSON from a vendor, through the channel's proxy. Redirects are not followed: they would forward the key.
 * @throws VendorCallError
 */
export async function readVendor(
  ctx: Pick<Context, 'fetch'>,
  call: VendorCall,
  options: { readonly proxy?: string | undefined; readonly secrets: readonly string[] },
): Promise<unknown> {
  try {
    const response = await ctx.fetch(call.url, {
      headers: call.headers,
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'manual',
      ...(options.proxy && { proxy: options.proxy }),
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new VendorCallError(`HTTP ${response.status}`)
    }
    return parseAnswer((await readBounded(response, maxResponseBytes)).toString('utf8'))
  } catch (cause) {
    if (cause instanceof VendorCallError) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new VendorCallError(mask(message, options.secrets), { cause })
  }
}
