import { Group } from '@mantine/core'
import { Suspense, use } from 'react'

import { useIsPhone } from '../../lib/browser/breakpoints'
import { BulkBar } from './bulk-bar'
import { cellsOf } from './cells'
import classes from './data-table.module.css'
import { hasRoom } from './room'
import { SettingsButton } from './settings-button'
import { sortRows } from './sort-rows'
import type * as tableCards from './table-cards'
import { TableGrid } from './table-grid'
import { TablePager } from './table-pager'
import { SkeletonRows, TableState } from './table-state'
import type { DataTableProps } from './types'
import { useFit } from './use-fit'
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
  const shown = preferences
    .shownOf(columns)
    .filter(({ id, from }) => hasRoom(room, from) || preferences.isRequested(id))
  const all = cellsOf(shown, room)
  const { frame, leftOut } = useFit(`${room} ${shown.map(({ id }) => id).join()} ${rows.map(rowKey).join()}`, {
    cells: all,
    mayLeave: ([host]) => host.from !== undefined && !preferences.isRequested(host.id),
  })
  const cells = all.filter(([{ id }]) => !leftOut.has(id))
  const hasRows = !source.error && rows.length > 0
  const drawn = { ...props, rows, preferences }
  const isPicking = selection !== undefined && selection.selected.size > 0
  return (
    <div ref={ref} className={classes.frame} aria-busy={source.isPending || source.isFetching}>
      <div className={classes.top}>
        <Group className={classes.toolbar} gap={8} align="flex-start" data-is-covered={isPicking || undefined}>
          <div className={classes.toolbarLeft}>{toolbar}</div>
          {!isPhone && <SettingsButton columns={columns} preferences={preferences} room={room} leftOut={leftOut} />}
        </Group>
        {isPicking && <BulkBar selection={selection} rows={rows} rowKey={rowKey} />}
      </div>
      {source.isFetching && hasRows && <div className={classes.loading} />}
      {!hasRows && <TableState {...drawn} />}
      {hasRows && !isPhone && <TableGrid {...drawn} cells={cells} frame={frame} />}
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
