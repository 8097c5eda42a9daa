import { Anchor, Paper } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { messageRoutes } from '@tollgate/contract'
import { useEffect } from 'react'

import { ErrorState } from '../../../components/page/state-message'
import { MessageText } from '../../../components/texts/message-text'
import { PageHeader } from '../../../components/page/page-header'
import { PageLoading } from '../../../components/page/page-loading'
import { formatTime } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { notifyWarning } from '../../../lib/browser/notify'
import { useRead, useRefresh } from '../../../lib/api/query'
import classes from './inbox.module.css'
import { useMarkRead } from './inbox-data'

const route = getRouteApi('/app/inbox_/$id')

/** How often to check that it still exists: deleted messages disappear for their readers too. */
const pollMs = 30_000

/** Error codes for a message that does not exist or is not the reader's. */
const missingCodes: readonly (string | undefined)[] = ['message.none', 'message.not_yours', 'message.id']

/** One message. Opening it marks it as read. */
export function MessagePage() {
  const { id } = route.useParams()
  return <Message key={id} id={id} />
}

function Message({ id }: { readonly id: string }) {
  const { t } = useTranslation('inbox')
  const {
    data: message,
    error,
    refetch,
  } = useRead(messageRoutes.readInboxMessage, { params: { id } }, { refetchInterval: pollMs })
  const isMissing = error !== null && missingCodes.includes(error.code)
  useReturnToInbox(isMissing)
  useReading(message)
  if (isMissing) return <PageLoading />
  return (
    <>
      <Anchor component={Link} to="/app/inbox" size="sm" className={classes.back}>
        <IconChevronLeft size={16} />
        {t('title')}
      </Anchor>
      {message ? (
        <article className={classes.message}>
          <PageHeader
            title={message.title}
            description={formatTime(message.created_at) + (message.is_system ? ` · ${t('isSystem')}` : '')}
          />
          <Paper withBorder p="md">
            <MessageText text={message.content} format={message.format} />
          </Paper>
        </article>
      ) : error ? (
        <ErrorState error={error} title={t('failed')} onRetry={() => void refetch()} isPage />
      ) : (
        <PageLoading />
      )}
    </>
  )
}

/** Leads from a missing message back to the list. */
function useReturnToInbox(isMissing: boolean): void {
  const { t } = useTranslation('inbox')
  const navigate = route.useNavigate()
  const refresh = useRefresh()
  useEffect(() => {
    if (!isMissing) return
    notifyWarning(t('missing'))
    void refresh(messageRoutes.listInbox, messageRoutes.unreadCount)
    void navigate({ to: '/app/inbox', replace: true })
  }, [isMissing, navigate, refresh, t])
}

function useReading(message: messageRoutes.InboxMessage | undefined): void {
  const markRead = useMarkRead()
  const unreadId = message && !message.is_read ? message.id : undefined
  useEffect(() => {
    if (unreadId !== undefined) void markRead(unreadId)
  }, [unreadId, markRead])
}
