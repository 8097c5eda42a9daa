import { lazy, Suspense, useCallback, useState } from 'react'

import { logRoutes } from '@tollgate/contract'
import { useList } from '../../components/data-table/use-list'
import { PageHeader } from '../../components/page/page-header'
import { usePeek } from '../../components/peek/use-peek'
import { useIsPhone } from '../../lib/browser/breakpoints'
import { useTranslation } from '../../lib/text/i18n'
import { ContentNotice } from './content-notice'
import { LogFilters } from './filters/log-filters'
import { LogHeaderActions } from './log-header-actions'
import { isFiltered, noFilters } from './log-query'
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
  const rows = useList(search, setSearch, { sorts: logRoutes.logSorts, noFilters, isNarrowed: isFiltered(search) })
  const { page, size, sort } = rows.part
  const live = useLive(page === 1 && sort === undefined && search.to === undefined)
  const reading = useReading()
  const list = useLogs(filter, rows.part, live.pollMs)
  const held = useHeldRows(list.data, {
    isHeld: live.isOn && (live.isPaused || reading.isReading || openId !== undefined),
    question: `${question} ${size}`,
    isPlaceholder: list.isPlaceholderData,
  })
  const isPhone = useIsPhone()
  const row = useOpenLog(openId, held.data?.items)
  const [userId, setUserId] = useState<number | undefined>()
  const setOpen = useCallback((open: number | undefined) => setSearch({ open }, { replace: true }), [setSearch])
  const peek = usePeek(openId, held.data?.items, setOpen)
  return (
    <>
      <PageHeader title={t('title')}>
        <LogHeaderActions
          search={search}
          live={live}
          onFilter={rows.filter}
          onRefresh={() => renew() || void list.refetch()}
        />
      </PageHeader>
      <ContentNotice />
      <LogSums filter={filter} />
      {!isPhone && (
        <Suspense fallback={<div className={classes.histogram} data-is-waiting />}>
          <Histogram filter={filter} onRange={(range) => setSearch({ ...range, range: undefined, page: undefined })} />
        </Suspense>
      )}
      <div className={classes.beside}>
        <LogsTable
          list={list}
          data={held.data}
          search={search}
          size={size}
          isSorted={sort !== undefined}
          table={rows.tableOf(held.data?.total, isCapped(held.data))}
          newRows={held.newRows}
          reading={reading.listeners}
          onShowNew={() => {
            held.release()
            window.scrollTo({ top: 0 })
          }}
          toolbar={<LogFilters search={search} onChange={rows.filter} />}
          onFilter={rows.filter}
          onOpen={peek.table.onOpen}
          onUser={setUserId}
          onFurther={(to) => setSearch({ from: filter.start_timestamp ?? 0, to, range: undefined, page: undefined })}
          onRange={(range) => setSearch({ range, from: undefined, to: undefined, page: undefined })}
        />
        <Suspense>
          {openId !== undefined && <LogPanel {...row} {...peek.panel} search={search} onFilter={rows.filter} />}
        </Suspense>
      </div>
      <Suspense>{userId !== undefined && <UserCard id={userId} onClose={() => setUserId(undefined)} />}</Suspense>
    </>
  )
}

/** The server stops counting at this number of rows. */
const mostCounted = 10_000

const isCapped = (list: { readonly total: number; readonly total_is_lower_bound?: boolean } | undefined) =>
  list?.total_is_lower_bound ?? (list?.total ?? 0) >= mostCounted
