import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { lazy, Suspense, use, useState } from 'react'
import { IconColumns3, IconX } from '@tabler/icons-react'

import classes from './data-table.module.css'
import type * as tableCards from './table-cards'
import { useIsPhone } from '../../lib/browser/breakpoints'
import { cellsOf, fits, useTableFrame } from './columns'
import { TableGrid } from './table-grid'
import { TablePager } from './table-pager'
import { SkeletonRows, TableState } from './table-state'
import type { Column, DataTableProps, Selection, Sorting, WidthClass } from './types'
import { useFit } from './use-fit'
import { type TablePreferences, useTablePreferences } from './use-table-preferences'
import { useTranslation } from '../../lib/text/i18n'
import { Tip } from '../tip'

/**
 * Every list of the console: server-side paging, sorting, remembered columns that yield where there is little room, selection, sums,
 * expandable rows, keyboard, and a state for every case. Its body scrolls within the window. On phones the rows are cards.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { id, columns, source, paging, selection, sorting, toolbar, rowKey } = props
  const preferences = useTablePreferences(id, columns)
  const isPhone = useIsPhone()
  const { ref, widthClass } = useTableFrame()
  const rows = sortRows(source.rows ?? [], columns, sorting)
  const shown = preferences
    .visibleColumns(columns)
    .filter(({ id, hiddenBelow }) => fits(widthClass, hiddenBelow) || preferences.isRequested(id))
  const all = cellsOf(shown, widthClass)
  const { frame, leftOut, isTight } = useFit(
    `${widthClass} ${shown.map(({ id }) => id).join()} ${rows.map(rowKey).join()}`,
    {
      cells: all,
      mayLeave: ([host]) => host.hiddenBelow !== undefined && !preferences.isRequested(host.id),
    },
  )
  const cells = all.filter(([{ id }]) => !leftOut.has(id))
  const hasRows = !source.error && rows.length > 0
  const drawn = { ...props, rows, preferences }
  const isPicking = selection !== undefined && selection.selected.size > 0
  return (
    <div ref={ref} className={classes.frame} aria-busy={source.isPending || source.isFetching}>
      <div className={classes.top}>
        <Group className={classes.toolbar} gap={8} align="flex-start" data-is-covered={isPicking || undefined}>
          <div className={classes.toolbarLeft}>{toolbar}</div>
          {!isPhone && (
            <SettingsButton columns={columns} preferences={preferences} widthClass={widthClass} leftOut={leftOut} />
          )}
        </Group>
        {isPicking && <BulkBar selection={selection} rows={rows} rowKey={rowKey} />}
      </div>
      {source.isFetching && hasRows && <div className={classes.loading} />}
      {!hasRows && <TableState {...drawn} />}
      {hasRows && !isPhone && <TableGrid {...drawn} cells={cells} frame={frame} isTight={isTight} />}
      {hasRows && isPhone && (
        <Suspense fallback={<SkeletonRows count={rows.length} density="normal" />}>
          <Cards {...drawn} />
        </Suspense>
      )}
      {paging && !source.error && !source.isPending && <TablePager paging={paging} />}
    </div>
  )
}

let cards: Promise<typeof tableCards> | undefined
const loadCards = () => (cards ??= import('./table-cards'))

/** Loaded on phones only. Not with `lazy`, which loses the row type. */
function Cards<Row>(props: tableCards.TableCardsProps<Row>) {
  const { TableCards } = use(loadCards())
  return <TableCards {...props} />
}

/** Returns the rows of a page sorted by the column that `sorting` names, if it has a sort value; otherwise unchanged. */
function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sorting: Sorting | undefined) {
  const sortBy = columns.find(({ id }) => id === sorting?.column)?.sortBy
  if (!sorting || !sortBy) return rows
  const direction = sorting.isDescending ? -1 : 1
  return rows.toSorted((one, other) => {
    const [left, right] = [sortBy(one), sortBy(other)]
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
    return direction * compare(left, right)
  })
}

const compare = (left: number | string, right: number | string) =>
  typeof left === 'number' && typeof right === 'number'
    ? left - right
    : String(left).localeCompare(String(right), undefined, { numeric: true })

interface BulkBarProps<Row> {
  readonly selection: Selection<Row>
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
}

/** Actions for the selected rows. It covers the toolbar, so that the table does not move. */
function BulkBar<Row>({ selection, rows, rowKey }: BulkBarProps<Row>) {
  const { t } = useTranslation()
  const { selected, onChange, actions } = selection
  const isPhone = useIsPhone()
  const clear = () => onChange(new Set())
  return (
    <div className={classes.bulkBar} role="region" aria-label={t('table.bulk')}>
      {/* Stays visible, however many actions follow. */}
      {isPhone && (
        <ActionIcon aria-label={t('table.clearSelection')} onClick={clear}>
          <IconX size={18} />
        </ActionIcon>
      )}
      <Text size="sm" fw={500}>
        {t('table.selected', { count: selected.size })}
      </Text>
      {actions(
        rows.filter((row) => selected.has(rowKey(row))),
        clear,
      )}
      {!isPhone && (
        <Button variant="subtle" color="gray" onClick={clear} ml="auto">
          {t('table.clearSelection')}
        </Button>
      )}
    </div>
  )
}

const TableSettings = lazy(async () => ({ default: (await import('./table-settings')).TableSettings }))

interface SettingsButtonProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly preferences: TablePreferences
  readonly widthClass: WidthClass
  /** Columns for which there is no room. */
  readonly leftOut: ReadonlySet<string>
}

function SettingsButton<Row>({ columns, preferences, widthClass, leftOut }: SettingsButtonProps<Row>) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  // The settings do not depend on the row type.
  const named = columns.map(({ id, title, isFixed, hiddenBelow }) => ({
    id,
    title,
    isFixed,
    hiddenBelow,
    cell: () => null,
  }))
  return (
    <>
      <Tip label={t('table.settings')}>
        <ActionIcon variant="default" aria-label={t('table.settings')} onClick={() => setOpen(true)}>
          <IconColumns3 size={17} />
        </ActionIcon>
      </Tip>
      {isOpen && (
        <Suspense>
          <TableSettings
            columns={named}
            preferences={preferences}
            widthClass={widthClass}
            leftOut={leftOut}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
