import { requestIdHeader } from '@tollgate/contract'

import { answerHeaders, type Answered } from './envelope'

/** A file that is generated while it is sent. */
export interface FileAnswer {
  /** As it will be saved: letters, digits, dots and dashes. */
  readonly name: string
  readonly body: ReadableStream<Uint8Array>
}

export function fileAnswer(media: string, { name, body }: FileAnswer, { requestId, headers }: Answered): Response {
  for (const [header, value] of Object.entries(answerHeaders)) headers.set(header, value)
  headers.set('Content-Type', media.startsWith('text/') ? `${media}; charset=utf-8` : media)
  headers.set('Content-Disposition', `attachment; filename="${name}"`)
  headers.set(requestIdHeader, requestId)
  return new Response(body, { headers })
}
