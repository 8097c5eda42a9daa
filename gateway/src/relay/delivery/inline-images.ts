import { dialects, type JsonObject } from '@tollgate/dialects'

import type { Context } from '../../context'
import type { ParsedBody } from '../../channels/calls/parsed-body'
import type { ModelCall } from '../call'

/** A call whose response may hold images. */
interface DrawingCall {
  readonly call: Pick<ModelCall, 'dialect'>
  readonly body: Pick<ParsedBody, 'json'>
  readonly deps: { readonly ctx: Pick<Context, 'log'> & { readonly outbound: Pick<Context['outbound'], 'send'> } }
}

const timeoutMs = 30_000
/** More than an image of 4096 pixels takes. */
const maxImageBytes = 32 * 1024 * 1024
/** No vendor makes more in one call; they are in memory at the same time. */
const maxImages = 10

/**
 * Resolves with the response in which images stand that the vendor only gives addresses of, where the client wants them inside. An
 * address that cannot be fetched stays as it is: the image is charged, and the client may still load it.
 */
export async function withInlineImages({ call, body, deps }: DrawingCall, response: JsonObject): Promise<JsonObject> {
  const { inlining } = dialects[call.dialect]
  if (!inlining?.isRequested(body.json)) return response
  const addresses = [...new Set(inlining.addressesIn(response))].slice(0, maxImages)
  if (addresses.length === 0) return response
  const fetched = await Promise.all(addresses.map(async (url) => [url, await fetchImage(url, deps)] as const))
  return inlining.insertImages(
    response,
    new Map(fetched.flatMap(([url, data]) => (data === null ? [] : [[url, data]]))),
  )
}

async function fetchImage(url: string, { ctx }: DrawingCall['deps']): Promise<string | null> {
  try {
    const request = { method: 'GET', url, headers: {}, timeoutMs, maxBytes: maxImageBytes } as const
    const { status, contentType, body } = await ctx.outbound.send(request)
    const isImage = status === 200 && !/^(?:text|application\/(?:json|xml))/.test(contentType)
    return isImage && body.byteLength < maxImageBytes ? Buffer.from(body).toString('base64') : null
  } catch (error) {
    ctx.log.warn({ error }, 'an image of a response could not be fetched')
    return null
  }
}
