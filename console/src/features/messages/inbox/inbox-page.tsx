import { Button } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { messageRoutes } from '@tollgate/contract'
import { useEffect, useRef } from 'react'

import { DataTable } from '../../../components/data-table/data-table'
import { sourceOf, usePage } from '../../../components/data-table/paging'
import { PageHeader } from '../../../components/page/page-header'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead, useRefresh, useWrite } from '../../../lib/api/query'
import { useSearchChange } from '../../../lib/url/use-search-change'
import type { InboxSearch } from './inbox-search'
import { useInboxColumns } from './inbox-columns'
import { inboxReads, useUnreadCount } from './inbox-data'

const route = getRouteApi('/app/inbox')
const rowKey = ({ id }: messageRoutes.InboxMessage) => String(id)

/** The reader's messages, newest first. */
export function InboxPage() {
  const { t } = useTranslation('inbox')
  const navigate = route.useNavigate()
  const paging = usePage(route.useSearch(), useSearchChange<InboxSearch>(navigate), 'message')
  const list = useRead(messageRoutes.listInbox, { query: { p: paging.page, page_size: paging.size } })
  const { data: unread = 0 } = useUnreadCount()
  useArrivals(unread)
  const markAll = useWrite(messageRoutes.markAllRead, { changes: inboxReads })
  return (
    <>
      <PageHeader title={t('title')} count={unread > 0 ? t('unread', { count: unread }) : undefined} />
      <DataTable
        id="inbox"
        label={t('title')}
        columns={useInboxColumns()}
        rowKey={rowKey}
        source={sourceOf(list)}
        paging={{ ...paging, total: list.data?.total ?? 0 }}
        onOpen={({ id }) => void navigate({ to: '/app/inbox/$id', params: { id: String(id) } })}
        empty={{ title: t('empty.title'), hint: t('empty.hint'), action: null }}
        errorTitle={t('failed')}
        toolbar={
          <Button
            variant="default"
            leftSection={<IconChecks size={14} />}
            disabled={unread === 0}
            loading={markAll.isPending}
            onClick={() => markAll.mutate({})}
          >
            {t('markAll')}
          </Button>
        }
      />
    </>
  )
}

/** Reads the list again when the unread count of the bell rises. */
function useArrivals(unread: number): void {
  const refresh = useRefresh()
  const known = useRef(unread)
  useEffect(() => {
    if (unread > known.current) void refresh(messageRoutes.listInbox)
    known.current = unread
  }, [unread, refresh])
}
