import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { daySeconds, type messageRoutes } from '@tollgate/contract'

import type { Column } from '../../../components/data-table/types'
import { useTranslation } from '../../../lib/text/i18n'
import { plainText } from '../../../lib/text/plain-text'
import classes from './inbox.module.css'
import { Tip } from '../../../components/tip'
import { formatTime } from '../../../lib/text/format'
import { useNow } from '../../../lib/text/use-now'
import type { Language } from '../../../lib/text/language'

type Message = messageRoutes.InboxMessage

const maxPreviewLength = 100

export function useInboxColumns(): readonly Column<Message>[] {
  const { t } = useTranslation('inbox')
  return [
    {
      id: 'title',
      title: t('column.title'),
      isFixed: true,
      card: 'title',
      cell: (message) => <MessageTitle message={message} />,
    },
    {
      id: 'preview',
      title: t('column.preview'),
      isWide: true,
      card: 'plain',
      cell: ({ content }) => <span className={classes.preview}>{cutText(plainText(content), maxPreviewLength)}</span>,
    },
    {
      id: 'time',
      title: t('column.time'),
      align: 'end',
      card: 'trailing',
      cell: ({ created_at: at }) => (
        <span className={classes.time}>
          <MessageMoment at={at} />
        </span>
      ),
    },
  ]
}

function MessageTitle({ message: { id, title, is_read: isRead } }: { readonly message: Message }) {
  const { t } = useTranslation('inbox')
  return (
    <span className={classes.title} data-is-unread={!isRead || undefined}>
      <span className={classes.dot}>{!isRead && <VisuallyHidden>{t('isUnread')}</VisuallyHidden>}</span>
      {/* The row is the keyboard target; the link can be opened in another tab. */}
      <Link
        to="/app/inbox/$id"
        params={{ id: String(id) }}
        className={classes.link}
        tabIndex={-1}
        onClick={(event) => event.stopPropagation()}
      >
        {title}
      </Link>
    </span>
  )
}

const refreshMs = 60_000

/** When a message arrived, with the exact time on hover. */
function MessageMoment({ at }: { readonly at: number }) {
  const { language } = useTranslation('inbox')
  const now = useNow(refreshMs) / 1000
  return (
    <Tip label={formatTime(at)}>
      <time dateTime={new Date(at * 1000).toISOString()} className="figures" style={{ whiteSpace: 'nowrap' }}>
        {messageTime(at, now, language)}
      </time>
    </Tip>
  )
}

const clockAt = { from: 11, to: 16 } as const
const locales = { zh: 'zh-CN', en: 'en-US' } as const satisfies Record<Language, string>

/** Returns a short time of arrival: the clock time within a day, the weekday within a week, or else the date. Pure. */
export function messageTime(unixSeconds: number, nowSeconds: number, language: Language): string {
  const age = nowSeconds - unixSeconds
  const written = formatTime(unixSeconds)
  if (age < daySeconds) return written.slice(clockAt.from, clockAt.to)
  if (age >= 7 * daySeconds) return written.slice(0, clockAt.from - 1)
  return new Intl.DateTimeFormat(locales[language], { weekday: 'long' }).format(unixSeconds * 1000)
}

const ellipsis = '...'

/** Truncates a text to at most this many characters, including the ellipsis. */
export function cutText(text: string, maxLength: number): string {
  const letters = Array.from(text)
  return letters.length > maxLength ? letters.slice(0, maxLength - ellipsis.length).join('') + ellipsis : text
}
