import { Group } from '@mantine/core'
import { Suspense, use } from 'react'

import { useIsPhone } from '../../lib/breakpoints'
import { BulkBar } from './bulk-bar'
import classes from './data-table.module.css'
import { SettingsButton } from './settings-button'
import { sortRows } from './sort-rows'
import type * as tableCards from './table-cards'
import { TableGrid } from './table-grid'
import { TablePager } from './table-pager'
import { SkeletonRows, TableState } from './table-state'
import type { DataTableProps } from './types'
import { useFrame } from './use-frame'
import { useTablePreferences } from './use-table-preferences'

/**
 * Every list of the console: server-side paging, sorting, remembered columns that yield where there is little room, selection, sums,
 * expandable rows, keyboard, and a state for every case. Its body scrolls within the window. On phones the rows are cards.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { id, columns, source, paging, selection, sorting, toolbar, rowKey } = props
  const preferences = useTablePreferences(id, columns)
  const isPhone = useIsPhone()
  const { ref, room } = useFrame()
  const rows = sortRows(source.rows ?? [], columns, sorting)
  const hasRows = !source.error && rows.length > 0
  const drawn = { ...props, rows, preferences, room }
  const isPicking = selection !== undefined && selection.selected.size > 0
  return (
    <div ref={ref} className={classes.frame} aria-busy={source.isPending || source.isFetching}>
      <div className={classes.top}>
        <Group className={classes.toolbar} gap={8} align="flex-start" data-is-covered={isPicking || undefined}>
          <div className={classes.toolbarLeft}>{toolbar}</div>
          {!isPhone && <SettingsButton columns={columns} preferences={preferences} room={room} />}
        </Group>
        {isPicking && <BulkBar selection={selection} rows={rows} rowKey={rowKey} />}
      </div>
      {source.isFetching && hasRows && <div className={classes.loading} />}
      {!hasRows && <TableState {...drawn} />}
      {hasRows && !isPhone && <TableGrid {...drawn} />}
      {hasRows && isPhone && (
        <Suspense fallback={<SkeletonRows count={rows.length} density="normal" />}>
          <Cards {...drawn} />
        </Suspense>
      )}
      {paging && !source.error && <TablePager paging={paging} isPending={source.isPending} />}
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
