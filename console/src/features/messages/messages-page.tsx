import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { DataTable } from '../../components/data-table/data-table'
import { sourceOf } from '../../components/data-table/paging'
import { useList } from '../../components/data-table/use-list'
import { PageHeader } from '../../components/page/page-header'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useSearchChange } from '../../lib/url/use-search-change'
import { MessageActions } from './message-actions'
import { MessageFilters } from './message-filters'
import { useMessages, type SentMessage, noFilters } from './message-data'
import type { MessagesSearch } from './message-search'
import { useMessageColumns } from './message-columns'

const NewMessageDrawer = lazy(async () => ({ default: (await import('./new-message-drawer')).NewMessageDrawer }))
const EditMessageDrawer = lazy(async () => ({ default: (await import('./edit-message-drawer')).EditMessageDrawer }))

const route = getRouteApi('/admin/messages')
const rowKey = ({ id }: SentMessage) => String(id)

/** Messages to users: the sent ones with their readers, and writing new ones. Redirects users without access to the first page. */
export const MessagesPage = () => (useViewer().may('messages.read') ? <Messages /> : <Navigate to="/" />)

function Messages() {
  const { t } = useTranslation('messages')
  const search = route.useSearch()
  const setSearch = useSearchChange<MessagesSearch>(route.useNavigate())
  const list = useList(search, setSearch, { noFilters, sizeOf: 'message' })
  const messages = useMessages(search, list.part)
  const columns = useMessageColumns()
  const mayWrite = useViewer().may('messages.write')
  const { edit } = search
  const write = () => setSearch({ edit: 'new' })
  const close = () => setSearch({ edit: undefined, recipients: undefined })
  return (
    <>
      <PageHeader title={t('title')}>
        {mayWrite && (
          <Button leftSection={<IconPlus size={14} />} onClick={write}>
            {t('add')}
          </Button>
        )}
      </PageHeader>
      <DataTable
        id="messages"
        label={t('title')}
        columns={columns}
        rowKey={rowKey}
        source={sourceOf(messages)}
        {...list.tableOf(messages.data?.total)}
        onOpen={({ id }) => setSearch({ edit: String(id) })}
        rowActions={(message) => (
          <MessageActions message={message} onOpen={() => setSearch({ edit: String(message.id) })} />
        )}
        empty={{
          title: t('empty.title'),
          hint: t('empty.hint'),
          action: mayWrite ? (
            <Button variant="default" leftSection={<IconPlus size={14} />} onClick={write}>
              {t('add')}
            </Button>
          ) : null,
        }}
        toolbar={<MessageFilters search={search} onChange={list.filter} onQuery={() => void messages.refetch()} />}
      />
      <Suspense>
        {edit === 'new' && <NewMessageDrawer recipients={search.recipients} onClose={close} />}
        {edit !== undefined && edit !== 'new' && <EditMessageDrawer key={edit} id={edit} onClose={close} />}
      </Suspense>
    </>
  )
}
