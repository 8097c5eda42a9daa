import { useMergedRef } from '@mantine/hooks'
import type { RefObject } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import type { Cell } from './cells'
import classes from './data-table.module.css'
import { SelectAll } from './select-all'
import { TableRow } from './table-row'
import { sectionNames } from './section-names'
import { HeadCell } from './table-head'
import { TableSums } from './table-sums'
import type { DataTableProps } from './types'
import { useEdge } from './use-edge'
import { useRowKeys } from './use-row-keys'
import type { TablePreferences } from './use-table-preferences'

interface TableGridProps<Row> extends DataTableProps<Row> {
  readonly rows: readonly Row[]
  readonly preferences: TablePreferences
  readonly cells: readonly Cell<Row>[]
  readonly frame: RefObject<HTMLDivElement | null>
}

/** The rows as a table whose head, sums and actions stay in view while the rows scroll. */
export function TableGrid<Row>(props: TableGridProps<Row>) {
  const { label, cells, frame, rows, rowKey, selection, sorting, rowActions, unfolding, sums, preferences } = props
  const names = sectionNames(rows, props.sectionOf)
  const { t } = useTranslation()
  const body = useRowKeys()
  const before = [selection, unfolding && !unfolding.hasOwnButton].filter(Boolean).length
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={label} ref={useMergedRef(frame, useEdge())}>
      <table className={classes.table} data-density={preferences.density}>
        <thead>
          <tr>
            {selection && (
              <th className={classes.tick}>
                <SelectAll keys={rows.map(rowKey)} selection={selection} />
              </th>
            )}
            {unfolding && !unfolding.hasOwnButton && <td className={classes.fold} />}
            {cells.map((cell) => (
              <HeadCell key={cell[0].id} cell={cell} sorting={sorting} preferences={preferences} />
            ))}
            {rowActions && <th className={classes.actions}>{t('table.actions')}</th>}
          </tr>
        </thead>
        <tbody ref={body.ref} onKeyDown={body.onKeyDown}>
          {rows.map((row, index) => (
            <TableRow
              key={rowKey(row)}
              {...props}
              row={row}
              rowKey={rowKey(row)}
              widthOf={preferences.widthOf}
              section={names[index]}
            />
          ))}
        </tbody>
        {sums && <TableSums sums={sums} cells={cells} before={before} hasActions={rowActions !== undefined} />}
      </table>
    </div>
  )
}
