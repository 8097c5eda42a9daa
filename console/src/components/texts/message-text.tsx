import type { messageRoutes } from '@tollgate/contract'
import { lazy, Suspense } from 'react'

import { Markdown } from './markdown'

const MessageHtml = lazy(async () => ({ default: (await import('./message-html')).MessageHtml }))

interface MessageTextProps {
  readonly text: string
  readonly format: messageRoutes.MessageFormat
}

/** The text of a message without scripts; images of other sites are links. */
export function MessageText({ text, format }: MessageTextProps) {
  if (format === 'markdown') return <Markdown text={text} />
  return (
    <Suspense>
      <MessageHtml html={text} />
    </Suspense>
  )
}
