import { Button, Group, Text } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { logType, type ApiError } from '@tollgate/contract'
import { lazy, Suspense, type HTMLAttributes, type ReactNode } from 'react'

import classes from '../logs.module.css'
import { DataTable } from '../../../components/data-table/data-table'
import type { DataTableProps, Sums } from '../../../components/data-table/types'
import { useRowExpansion } from '../../../components/data-table/row-controls'
import { useFormat } from '../../../lib/text/use-format'
import { formatTime } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { attemptsOf, type LogRow } from '../log-row'
import type { LogSearch, QuickRange } from '../log-search'
import { useCellMenu } from './use-cell-menu'
import { useLogColumns } from './log-columns'
import { useNow } from '../../../lib/text/use-now'
import type { Language } from '../../../lib/text/language'
import { Money } from '../../../domain/money'

const AttemptList = lazy(async () => ({ default: (await import('../panel/attempts')).AttemptList }))
const NoCalls = lazy(async () => ({ default: (await import('../no-calls')).NoCalls }))
const CellMenu = lazy(async () => ({ default: (await import('./cell-menu')).CellMenu }))

interface LogList {
  readonly items: readonly LogRow[]
  readonly searched_until?: number
}

interface LogsTableProps {
  readonly list: {
    readonly isPending: boolean
    readonly isPlaceholderData: boolean
    readonly error: ApiError | null
    readonly refetch: () => Promise<unknown>
  }
  readonly data: LogList | undefined
  readonly search: LogSearch
  /** Rows of a page. */
  readonly size: number
  readonly isSorted: boolean
  /** Page, order and filters of the table. */
  readonly table: Pick<DataTableProps<never>, 'paging' | 'sorting' | 'onClearFilters'>
  readonly newRows: number
  /** Handlers that detect reading. */
  readonly reading: HTMLAttributes<HTMLDivElement>
  readonly onShowNew: () => void
  readonly toolbar: ReactNode
  readonly onOpen: (row: LogRow) => void
  readonly onUser: (id: number) => void
  readonly onFilter: (change: LogSearch) => void
  /** Shows older rows, up to this second. */
  readonly onFurther: (to: number) => void
  readonly onRange: (range: QuickRange) => void
}

const isFailed = ({ type }: LogRow) => type === logType.error
const noRows: readonly LogRow[] = []
const keyOf = ({ id }: LogRow) => String(id)

export function LogsTable(props: LogsTableProps) {
  const { list, data, search, size, isSorted, table, newRows, reading, onShowNew, toolbar } = props
  const { onOpen, onUser, onFilter, onFurther, onRange } = props
  const { t } = useTranslation('logs')
  const rows = data?.items ?? noRows
  const expansion = useRowExpansion()
  const columns = useLogColumns(onUser, expansion)
  const cellMenu = useCellMenu(data?.items)
  const sectionOf = useDaySections(rows)
  return (
    <div className={classes.list} {...reading} {...cellMenu.listeners}>
      {newRows > 0 && (
        <div className={classes.pillPlace}>
          <Button className={classes.pill} radius="xl" leftSection={<IconArrowUp size={14} />} onClick={onShowNew}>
            {t('live.new', { count: newRows, rows: newRows < size ? newRows : `${newRows}+` })}
          </Button>
        </div>
      )}
      <DataTable
        id="logs"
        label={t('title')}
        columns={columns}
        source={{
          rows: data?.items,
          isPending: list.isPending,
          isFetching: list.isPlaceholderData,
          error: list.error,
          onRetry: () => void list.refetch(),
        }}
        rowKey={keyOf}
        openKey={search.open === undefined ? undefined : String(search.open)}
        onOpen={onOpen}
        isBad={isFailed}
        sectionOf={isSorted ? undefined : sectionOf}
        sums={usePageSums(rows)}
        expansion={{
          ...expansion,
          hasOwnButton: true,
          canExpand: (row) => attemptsOf(row).length > 1,
          content: (row) => (
            <Suspense>
              <AttemptList row={row} />
            </Suspense>
          ),
        }}
        toolbar={toolbar}
        empty={{
          title: t('empty.title'),
          hint: t('empty.hint'),
          action: (
            <Suspense>
              <NoCalls search={search} onRange={onRange} />
            </Suspense>
          ),
        }}
        {...table}
      />
      <Suspense>
        {cellMenu.opened && (
          <CellMenu
            opened={cellMenu.opened}
            search={search}
            onFilter={onFilter}
            onUser={onUser}
            onClose={cellMenu.close}
          />
        )}
      </Suspense>
      {data?.searched_until !== undefined && (
        <SearchedUntil at={data.searched_until} isSorted={isSorted} onFurther={onFurther} />
      )}
    </div>
  )
}

interface SearchedUntilProps {
  readonly at: number
  readonly isSorted: boolean
  readonly onFurther: (to: number) => void
}

/** The server searched as far back as is fast. */
function SearchedUntil({ at, isSorted, onFurther }: SearchedUntilProps) {
  const { t } = useTranslation('logs')
  return (
    <Group gap={12} p="sm">
      <Text size="sm" c="dimmed">
        {t(isSorted ? 'further.sorted' : 'further.text', { time: formatTime(at) })}
      </Text>
      <Button variant="default" onClick={() => onFurther(at - 1)}>
        {t('further.action')}
      </Button>
    </Group>
  )
}

type Timed = Pick<LogRow, 'created_at'>

/** Midnight may pass while the page is open. */
const refreshMs = 60_000

/** Groups rows by day; undefined while all of them are from today. */
function useDaySections(rows: readonly Timed[]): ((row: Timed) => string) | undefined {
  const { language } = useFormat()
  const now = useNow(refreshMs) / 1000
  if (rows.every(({ created_at: at }) => daysBefore(at, now) === 0)) return undefined
  return ({ created_at: at }) => dayName(at, now, language)
}

/** Returns Today, Yesterday, or Friday, November 20, with the year if it is another one. */
export function dayName(at: number, now: number, language: Language): string {
  const days = daysBefore(at, now)
  if (days === 0 || days === 1) {
    const name = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-days, 'day')
    return name.charAt(0).toUpperCase() + name.slice(1)
  }
  const date = new Date(at * 1000)
  const isThisYear = date.getFullYear() === new Date(now * 1000).getFullYear()
  return date.toLocaleDateString(language, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
  })
}

/** Returns the number of midnights between two moments; days may have 23 or 25 hours. */
const daysBefore = (at: number, now: number): number => Math.round((midnight(now) - midnight(at)) / 86_400_000)

const midnight = (unixSeconds: number): number => new Date(unixSeconds * 1000).setHours(0, 0, 0, 0)

/** Returns the sums of the charged calls of a page; undefined for a single one. */
function usePageSums(rows: readonly LogRow[]): Sums | undefined {
  const { t } = useTranslation('logs')
  const { number } = useFormat()
  const charged = rows.filter(({ type }) => type === logType.consumption)
  if (charged.length < 2) return undefined
  const sum = (key: 'prompt_tokens' | 'completion_tokens' | 'quota') =>
    charged.reduce((total, row) => total + row[key], 0)
  return {
    label: t('pageSums', { count: charged.length }),
    cells: {
      tokens: `${number(sum('prompt_tokens'))} / ${number(sum('completion_tokens'))}`,
      cost: <Money quota={sum('quota')} />,
    },
  }
}
