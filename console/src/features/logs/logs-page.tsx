import { lazy, Suspense, useCallback, useState } from 'react'

import { usePage } from '../../components/data-table/use-page'
import { PageHeader } from '../../components/page/page-header'
import { usePeek } from '../../components/peek/use-peek'
import { useTranslation } from '../../lib/i18n'
import { ContentNotice } from './content-notice'
import { LogFilters } from './filters/log-filters'
import { LogHeaderActions } from './log-header-actions'
import { isFiltered, noFilters } from './log-query'
import type { LogSearch } from './log-search'
import classes from './logs.module.css'
import { LogsTable } from './table/logs-table'
import { LogSums } from './log-sums'
import { useFilter } from './filters/use-filter'
import { useHeldRows } from './use-held-rows'
import { useLive } from './use-live'
import { useLogSearch, useLogs, useOpenLog } from './use-logs'
import { useReading } from './use-reading'

// Not shown on phones, nor for every filter.
const Histogram = lazy(async () => ({ default: (await import('./histogram/histogram')).Histogram }))
const LogPanel = lazy(async () => ({ default: (await import('./panel/log-panel')).LogPanel }))
const UserCard = lazy(async () => ({ default: (await import('./user-card')).UserCard }))

/** Every call with its cost and the reasons for it; the open row beside the list. */
export function LogsPage() {
  const { t } = useTranslation('logs')
  const { search, setSearch } = useLogSearch()
  const { open: openId } = search
  const { filter, question, renew } = useFilter(search)
  const paging = usePage(search, setSearch)
  const live = useLive(paging.page === 1 && search.to === undefined)
  const reading = useReading()
  const list = useLogs(filter, paging, live.pollMs)
  const held = useHeldRows(list.data, {
    isHeld: live.isOn && (live.isPaused || reading.isReading || openId !== undefined),
    question: `${question} ${paging.size}`,
    isPlaceholder: list.isPlaceholderData,
  })
  const row = useOpenLog(openId, held.data?.items)
  const [userId, setUserId] = useState<number | undefined>()
  const setOpen = useCallback((open: number | undefined) => setSearch({ open }, { replace: true }), [setSearch])
  const setFilters = useCallback((change: LogSearch) => setSearch({ ...change, page: undefined }), [setSearch])
  const peek = usePeek(openId, held.data?.items, setOpen)
  return (
    <>
      <PageHeader title={t('title')}>
        <LogHeaderActions
          search={search}
          live={live}
          onFilter={setFilters}
          onRefresh={() => renew() || void list.refetch()}
        />
      </PageHeader>
      <ContentNotice />
      <LogSums filter={filter} />
      <Suspense>
        <Histogram filter={filter} onRange={(range) => setSearch({ ...range, range: undefined, page: undefined })} />
      </Suspense>
      <div className={classes.beside}>
        <LogsTable
          list={list}
          data={held.data}
          search={search}
          paging={paging}
          newRows={held.newRows}
          reading={reading.listeners}
          onShowNew={() => {
            held.release()
            window.scrollTo({ top: 0 })
          }}
          toolbar={<LogFilters search={search} onChange={setFilters} />}
          onFilter={setFilters}
          onOpen={peek.table.onOpen}
          onUser={setUserId}
          onFurther={(to) => setSearch({ from: filter.start_timestamp ?? 0, to, range: undefined, page: undefined })}
          onRange={(range) => setSearch({ range, from: undefined, to: undefined, page: undefined })}
          onClearFilters={isFiltered(search) ? () => setSearch({ ...noFilters, page: undefined }) : undefined}
        />
        <Suspense>
          {openId !== undefined && <LogPanel {...row} {...peek.panel} search={search} onFilter={setFilters} />}
        </Suspense>
      </div>
      <Suspense>{userId !== undefined && <UserCard id={userId} onClose={() => setUserId(undefined)} />}</Suspense>
    </>
  )
}
