import { Group } from '@mantine/core'

import { useIsPhone } from '../../lib/breakpoints'
import { BulkBar } from './bulk-bar'
import classes from './data-table.module.css'
import { SettingsButton } from './settings-button'
import { TableCards } from './table-cards'
import { TableGrid } from './table-grid'
import { TablePager } from './table-pager'
import { TableState } from './table-state'
import type { DataTableProps } from './types'
import { useTablePreferences } from './use-table-preferences'

/**
 * Every list of the console: server paging, remembered columns, selection, keyboard, and a form for each state.
 * On phones the rows are cards.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { id, columns, source, paging, selection, toolbar, rowKey } = props
  const preferences = useTablePreferences(id, columns)
  const isPhone = useIsPhone()
  const hasRows = !source.error && source.rows !== undefined && source.rows.length > 0
  return (
    <div className={classes.frame} aria-busy={source.isPending || source.isFetching}>
      <Group className={classes.toolbar} gap={8} align="flex-start">
        <div className={classes.toolbarLeft}>{toolbar}</div>
        {!isPhone && <SettingsButton columns={columns} preferences={preferences} />}
      </Group>
      {selection && <BulkBar selection={selection} rows={source.rows ?? []} rowKey={rowKey} />}
      {source.isFetching && hasRows && <div className={classes.loading} />}
      {hasRows ? (
        isPhone ? (
          <TableCards {...props} preferences={preferences} />
        ) : (
          <TableGrid {...props} preferences={preferences} />
        )
      ) : (
        <TableState {...props} preferences={preferences} />
      )}
      {paging && !source.error && <TablePager paging={paging} />}
    </div>
  )
}
