import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { messageRoutes } from '@tollgate/contract'

import type { Column } from '../../../components/data-table/types'
import { useTranslation } from '../../../lib/text/i18n'
import { plainText } from '../../../lib/text/plain-text'
import { MessageMoment, cutText } from './inbox-cells'
import classes from './inbox.module.css'

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
