import { Button, Group, Text } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { logType, type ApiError } from '@tollgate/contract'
import { lazy, Suspense, type HTMLAttributes, type ReactNode } from 'react'

import { DataTable } from '../../../components/data-table/data-table'
import type { DataTableProps } from '../../../components/data-table/types'
import { useUnfolding } from '../../../components/data-table/use-unfolding'
import { formatTime } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { attemptsOf } from '../call-attempts'
import { useDaySections } from './day-sections'
import type { LogRow } from '../log-row'
import type { LogSearch, QuickRange } from '../log-search'
import classes from '../logs.module.css'
import { useCellMenu } from './use-cell-menu'
import { usePageSums } from './page-sums'
import { useLogColumns } from './use-log-columns'

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
const none: readonly LogRow[] = []
const keyOf = ({ id }: LogRow) => String(id)

export function LogsTable(props: LogsTableProps) {
  const { list, data, search, size, isSorted, table, newRows, reading, onShowNew, toolbar } = props
  const { onOpen, onUser, onFilter, onFurther, onRange } = props
  const { t } = useTranslation('logs')
  const rows = data?.items ?? none
  const unfolding = useUnfolding()
  const columns = useLogColumns(onUser, unfolding)
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
        unfolding={{
          ...unfolding,
          hasOwnButton: true,
          canUnfold: (row) => attemptsOf(row).length > 1,
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
