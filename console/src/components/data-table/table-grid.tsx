import { Checkbox, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'

import { useIsOverlay } from '../../lib/breakpoints'
import classes from './data-table.module.css'
import { openOnEnter } from './open-on-enter'
import { cellsOf, type Cell } from './cells'
import type { DataTableProps, Sorting } from './types'
import { SelectAll, toggled } from './select-all'
import { useRowKeys } from './use-row-keys'
import type { TablePreferences } from './use-table-preferences'

interface TableGridProps<Row> extends DataTableProps<Row> {
  readonly preferences: TablePreferences
}

/** The rows as a table with a head that stays and actions that stay. */
export function TableGrid<Row>(props: TableGridProps<Row>) {
  const { label, columns, source, rowKey, selection, sorting, rowActions, preferences } = props
  const { onOpen, openKey, isMuted, isBad, unfolded } = props
  const { t } = useTranslation()
  const rows = source.rows ?? []
  const isOverlay = useIsOverlay()
  const isSqueezed = openKey !== undefined && !isOverlay
  const shown = cellsOf(preferences.shownOf(columns).filter(({ isSpare }) => !(isSqueezed && isSpare)))
  const body = useRowKeys()
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={classes.table} data-density={preferences.density}>
        <thead>
          <tr>
            {selection && (
              <th className={classes.tick}>
                <SelectAll keys={rows.map(rowKey)} selection={selection} />
              </th>
            )}
            {shown.map((cell) => (
              <HeadCell key={cell[0].id} cell={cell} sorting={sorting} />
            ))}
            {rowActions && <th className={classes.actions}>{t('table.actions')}</th>}
          </tr>
        </thead>
        <tbody ref={body.ref} onKeyDown={body.onKeyDown}>
          {rows.map((row) => {
            const key = rowKey(row)
            const below = unfolded?.(row)
            return (
              <Fragment key={key}>
                <tr
                  data-row={key}
                  data-is-open={key === openKey || undefined}
                  data-is-muted={isMuted?.(row) || undefined}
                  data-is-bad={isBad?.(row) || undefined}
                  data-can-open={onOpen ? true : undefined}
                  tabIndex={onOpen ? 0 : undefined}
                  onClick={onOpen && (() => onOpen(row))}
                  onKeyDown={onOpen && openOnEnter(() => onOpen(row))}
                >
                  {selection && (
                    <td className={classes.tick} onClick={(event) => event.stopPropagation()}>
                      <Checkbox
                        size="xs"
                        aria-label={t('table.select')}
                        checked={selection.selected.has(key)}
                        onChange={() => selection.onChange(toggled(selection.selected, key))}
                      />
                    </td>
                  )}
                  {shown.map(([column, ...below]) => (
                    <td key={column.id} data-align={column.align} data-is-wide={column.isWide || undefined}>
                      {column.isWide ? <div className={classes.wide}>{column.cell(row)}</div> : column.cell(row)}
                      {below.map(({ id, cell }) => (
                        <div key={id} className={classes.below}>
                          {cell(row)}
                        </div>
                      ))}
                    </td>
                  ))}
                  {rowActions && (
                    <td className={classes.actions} onClick={(event) => event.stopPropagation()}>
                      {rowActions(row)}
                    </td>
                  )}
                </tr>
                {below && (
                  <tr className={classes.unfolded}>
                    <td colSpan={shown.length + (selection ? 1 : 0) + (rowActions ? 1 : 0)}>{below}</td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

interface HeadCellProps<Row> {
  readonly cell: Cell<Row>
  readonly sorting?: Sorting
}

function HeadCell<Row>({ cell, sorting }: HeadCellProps<Row>) {
  const { id, align, width, isSortable } = cell[0]
  const title = cell.map((column) => column.title).join(' · ')
  const isSorted = sorting?.column === id
  const direction = isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : undefined
  const Arrow = sorting?.isDescending ? IconArrowDown : IconArrowUp
  return (
    <th data-align={align} style={{ width }} aria-sort={direction}>
      {isSortable && sorting ? (
        <UnstyledButton
          className={classes.sort}
          onClick={() => sorting.onChange(id, isSorted ? !sorting.isDescending : true)}
        >
          {title}
          {isSorted && <Arrow size={13} />}
        </UnstyledButton>
      ) : (
        title
      )}
    </th>
  )
}
