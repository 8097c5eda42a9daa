import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { usePage } from '../../components/data-table/use-page'
import { PageHeader } from '../../components/page-header'
import { ContentNotice } from './content-notice'
import { LogFilters } from './log-filters'
import { LogHeaderActions } from './log-header-actions'
import { isFiltered } from './log-query'
import classes from './logs.module.css'
import { LogsTable } from './logs-table'
import { StatLine } from './stat-line'
import { useLive } from './use-live'
import { useLogSearch, useLogs, useOpenLog } from './use-logs'

const LogPanel = lazy(async () => ({ default: (await import('./log-panel')).LogPanel }))
const UserCard = lazy(async () => ({ default: (await import('./user-card')).UserCard }))

/** Every call, what it cost and why; beside the list, the row that is looked at. */
export function LogsPage() {
  const { t } = useTranslation('logs')
  const { search, setSearch } = useLogSearch()
  const paging = usePage(search, setSearch)
  const live = useLive(paging.page === 1 && search.to === undefined)
  const list = useLogs(search, paging, live.pollMs)
  const shown = live.held(list.data, search.open !== undefined)
  const open = useOpenLog(search.open, shown.data?.items)
  const [userId, setUserId] = useState<number | undefined>()
  return (
    <>
      <PageHeader title={t('title')}>
        <LogHeaderActions search={search} live={live} onRefresh={() => void list.refetch()} />
      </PageHeader>
      <ContentNotice />
      <StatLine search={search} />
      <div className={classes.beside}>
        <LogsTable
          list={list}
          data={shown.data}
          search={search}
          paging={paging}
          newRows={shown.newRows}
          onShowNew={live.release}
          toolbar={<LogFilters search={search} onChange={(change) => setSearch({ ...change, page: undefined })} />}
          onOpen={(row) => setSearch({ open: row.id === search.open ? undefined : row.id }, { replace: true })}
          onUser={setUserId}
          onFurther={(to) => setSearch({ from: search.from ?? 0, to, page: undefined })}
          onClearFilters={isFiltered(search) ? () => setSearch(noFilters) : undefined}
        />
        <Suspense>
          {search.open !== undefined && (
            <LogPanel {...open} onClose={() => setSearch({ open: undefined }, { replace: true })} />
          )}
        </Suspense>
      </div>
      <Suspense>{userId !== undefined && <UserCard id={userId} onClose={() => setUserId(undefined)} />}</Suspense>
    </>
  )
}

const noFilters = {
  type: undefined,
  token: undefined,
  model: undefined,
  group: undefined,
  username: undefined,
  channel: undefined,
  request: undefined,
  page: undefined,
}
