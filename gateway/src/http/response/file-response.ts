import { requestIdHeader } from '@tollgate/contract'

import { responseHeaders, type ResponseContext } from './envelope'

/** A file that is generated, or fetched, while it is sent. */
export interface FileResult {
  /** As it will be saved: letters, digits, dots, dashes and underscores. */
  readonly name: string
  readonly body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>
  readonly shown?: ShownFile
}

/** A file that a page shows rather than saves. */
interface ShownFile {
  readonly status: 200 | 206
  readonly contentType: string
  /** Its length and range. */
  readonly headers: Readonly<Record<string, string>>
  /** It never changes: the browser may keep it for a day. */
  readonly isLasting: boolean
}

export function fileResponse(
  media: string,
  { name, body, shown }: FileResult,
  { requestId, headers }: ResponseContext,
): Response {
  for (const [header, value] of Object.entries(responseHeaders)) headers.set(header, value)
  headers.set('Content-Type', media.startsWith('text/') ? `${media}; charset=utf-8` : media)
  headers.set('Content-Disposition', `attachment; filename="${name}"`)
  headers.set(requestIdHeader, requestId)
  if (!shown) return new Response(body, { headers })
  for (const [header, value] of Object.entries(shown.headers)) headers.set(header, value)
  headers.set('Content-Type', shown.contentType)
  headers.set('Content-Disposition', `inline; filename="${name}"`)
  if (shown.isLasting) headers.set('Cache-Control', 'private, max-age=86400')
  return new Response(body, { status: shown.status, headers })
}
