import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { DataTable } from '../../components/data-table/data-table'
import { sourceOf } from '../../components/data-table/source-of'
import { usePage } from '../../components/data-table/use-page'
import { PageHeader } from '../../components/page/page-header'
import { useTranslation } from '../../lib/i18n'
import { useViewer } from '../../lib/session'
import { useSearchChange } from '../../lib/use-search-change'
import { MessageActions } from './message-actions'
import { MessageFilters } from './message-filters'
import { noFilters } from './messages-query'
import type { MessagesSearch } from './messages-search'
import { useMessageColumns } from './use-message-columns'
import { useMessages, type SentMessage } from './use-messages'

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
  const paging = usePage(search, setSearch, 'message')
  const list = useMessages(search, paging)
  const columns = useMessageColumns()
  const mayWrite = useViewer().may('messages.write')
  const { keyword, range, from, to, edit } = search
  const isFiltered = [keyword, range, from, to].some((filter) => filter !== undefined)
  const write = () => setSearch({ edit: 'new' })
  const close = () => setSearch({ edit: undefined })
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
        source={sourceOf(list)}
        paging={{ ...paging, total: list.data?.total ?? 0 }}
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
        onClearFilters={isFiltered ? () => setSearch(noFilters) : undefined}
        toolbar={
          <MessageFilters
            search={search}
            onChange={(change) => setSearch({ ...change, page: undefined })}
            onQuery={() => void list.refetch()}
          />
        }
      />
      <Suspense>
        {edit === 'new' && <NewMessageDrawer onClose={close} />}
        {edit !== undefined && edit !== 'new' && <EditMessageDrawer key={edit} id={edit} onClose={close} />}
      </Suspense>
    </>
  )
}
