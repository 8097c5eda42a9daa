import { lazy, Suspense, useCallback, useState, useEffect, type FocusEvent, type PointerEvent } from 'react'
import { logRoutes } from '@tollgate/contract'
import { Text } from '@mantine/core'

import classes from './logs.module.css'
import { useList } from '../../components/data-table/use-list'
import { PageHeader } from '../../components/page/page-header'
import { ListWithPanel } from '../../components/peek/list-with-panel'
import { usePeek } from '../../components/peek/use-peek'
import { useIsPhone } from '../../lib/browser/breakpoints'
import { loadAreas, useTranslation } from '../../lib/text/i18n'
import { histogramQuery } from './histogram/histogram-query'
import { LogFilters } from './filters/log-filters'
import { LogHeaderActions } from './log-header-actions'
import { isFiltered, noFilters } from './log-query'
import { LogsTable } from './table/logs-table'
import { LogSums } from './log-sums'
import { useFilter, useLive, useLogs, useLogSearch, useOpenLog } from './log-data'
import { useSite } from '../../lib/api/status'

// Not shown on phones, nor for every filter.
const Histogram = lazy(async () => ({ default: (await import('./histogram/histogram')).Histogram }))
const LogPanel = lazy(async () => {
  const [{ LogPanel }] = await Promise.all([import('./panel/log-panel'), loadAreas('call-cost', 'log-panel')])
  return { default: LogPanel }
})
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
  const chart = isPhone ? undefined : histogramQuery(filter)
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
      {chart && (
        <Suspense fallback={<div className={classes.histogram} data-is-waiting />}>
          <Histogram query={chart} onRange={(range) => setSearch({ ...range, range: undefined, page: undefined })} />
        </Suspense>
      )}
      <ListWithPanel
        panel={openId !== undefined && <LogPanel {...row} {...peek.panel} search={search} onFilter={rows.filter} />}
      >
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
      </ListWithPanel>
      <Suspense>{userId !== undefined && <UserCard id={userId} onClose={() => setUserId(undefined)} />}</Suspense>
    </>
  )
}

/** The server stops counting at this number of rows. */
const maxCount = 10_000

const isCapped = (list: { readonly total: number; readonly total_is_lower_bound?: boolean } | undefined) =>
  list?.total_is_lower_bound ?? (list?.total ?? 0) >= maxCount

/** Smaller scroll offsets are unintentional. */
const minScroll = 24

const isInRow = (target: EventTarget) => target instanceof Element && target.closest('[data-row]') !== null

/** Whether the reader is reading the rows: hovers or focuses one, or has scrolled down. */
function useReading() {
  const [isPointing, setPointing] = useState(false)
  const [isInside, setInside] = useState(false)
  const [isScrolled, setScrolled] = useState(false)
  useEffect(() => {
    const onScroll = () => setScrolled(window.scrollY > minScroll)
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [])
  return {
    isReading: isPointing || isInside || isScrolled,
    listeners: {
      onPointerOver: ({ target, pointerType }: PointerEvent) => setPointing(pointerType !== 'touch' && isInRow(target)),
      onPointerLeave: () => setPointing(false),
      onFocus: ({ target }: FocusEvent) => setInside(isInRow(target)),
      onBlur: () => setInside(false),
    },
  }
}

interface List {
  readonly items: readonly { readonly id: number }[]
}

interface HeldOptions {
  /** The reader is reading: nothing may move. */
  readonly isHeld: boolean
  /** The query; rows of another query are not held. */
  readonly question: string
  /** The rows belong to the previous query. */
  readonly isPlaceholder: boolean
}

/** Returns the rows to show of the newest page: all of them, or those from when the reading began and the number of newer ones. */
function useHeldRows<Data extends List>(newest: Data | undefined, options: HeldOptions) {
  const { isHeld, question, isPlaceholder } = options
  const [lastData, keep] = useState<{ readonly question: string; readonly data: Data } | undefined>()
  const isStored = isHeld && lastData?.question === question
  if (lastData && !isStored) keep(undefined)
  if (!lastData && isHeld && newest && !isPlaceholder) keep({ question, data: newest })
  return {
    data: isStored ? lastData.data : newest,
    newRows: isStored ? newSince(newest?.items ?? [], lastData.data.items) : 0,
    /** Shows the newer rows. */
    release: () => keep(newest && { question, data: newest }),
  }
}

/** Returns how many rows of the newest page are newer than those shown. */
function newSince(newest: readonly { readonly id: number }[], shown: readonly { readonly id: number }[]): number {
  const last = shown[0]?.id ?? 0
  return newest.filter(({ id }) => id > last).length
}

/** Tells callers whether others can read their conversations. */
function ContentNotice() {
  const { t } = useTranslation('logs')
  const { log_chat_content_enabled: isRead } = useSite()
  if (!isRead) return null
  return (
    <Text size="sm" c="dimmed" mb="sm">
      {t('contentNotice')}
    </Text>
  )
}
