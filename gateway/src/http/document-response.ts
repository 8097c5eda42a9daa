import { clientAddress } from './request/client-address'
import { chooseEncoding } from './console-files/accept-encoding'
import { limitAddressCall, limitGuestCall } from './request/request-limits'
import { newRequestId } from './request/request-id'
import { consoleLanguage } from './language'
import { responseHeaders, failureResponse } from './response/envelope'
import { AppError } from '../platform/app-error'
import type { ConsoleServer } from './handle-call'

/** A document that is the same for everyone, plain and packed. */
export interface Document {
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer>
}

/** Sends the description of the API to anyone, within the limit of all console calls. */
export async function documentResponse(
  { ctx, limiter }: Pick<ConsoleServer, 'ctx' | 'limiter'>,
  { request, address }: { readonly request: Request; readonly address: string },
  read: () => Promise<Document>,
): Promise<Response> {
  try {
    const { options } = ctx.catalog.current
    const clientIp = clientAddress(request, address, ctx.config.trustedProxies, options)
    await limitAddressCall({ limiter, options }, clientIp)
    await limitGuestCall({ limiter, options }, clientIp)
    const document = await read()
    const isPacked = chooseEncoding(request.headers.get('accept-encoding'), ['gzip']) === 'gzip'
    const headers = { ...responseHeaders, vary: 'Accept-Encoding', ...(isPacked && { 'content-encoding': 'gzip' }) }
    return new Response(isPacked ? document.gzip : document.plain, { headers })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return failureResponse(error, {
      requestId: newRequestId(ctx),
      language: consoleLanguage(request.headers),
      headers: new Headers(),
      hasStatusMessage: false,
    })
  }
}
