import { useMergedRef } from '@mantine/hooks'
import { type RefObject, useCallback } from 'react'

import classes from './data-table.module.css'
import { useTranslation } from '../../lib/text/i18n'
import type { Cell } from './columns'
import { SelectAll } from './row-controls'
import { TableRow } from './table-row'
import { HeadCell } from './table-head'
import type { DataTableProps, Sums } from './types'
import { useRowKeys } from './row-keys'
import type { TablePreferences } from './use-table-preferences'

interface TableGridProps<Row> extends DataTableProps<Row> {
  readonly rows: readonly Row[]
  readonly preferences: TablePreferences
  readonly cells: readonly Cell<Row>[]
  readonly frame: RefObject<HTMLDivElement | null>
  /** Wide columns take less than they would like. */
  readonly isTight: boolean
}

/** The rows as a table whose head, sums and actions stay in view while the rows scroll. */
export function TableGrid<Row>(props: TableGridProps<Row>) {
  const { label, cells, frame, rows, rowKey, selection, sorting, rowActions, expansion, sums, preferences } = props
  const names = sectionNames(rows, props.sectionOf)
  const { t } = useTranslation()
  const body = useRowKeys()
  const before = [selection, expansion && !expansion.hasOwnButton].filter(Boolean).length
  return (
    <div
      className={classes.scroll}
      tabIndex={0}
      role="region"
      aria-label={label}
      ref={useMergedRef(frame, useOverflowMark())}
    >
      <table className={classes.table} data-density={preferences.density} data-is-tight={props.isTight || undefined}>
        <thead>
          <tr>
            {selection && (
              <th className={classes.tick}>
                <SelectAll keys={rows.map(rowKey)} selection={selection} />
              </th>
            )}
            {expansion && !expansion.hasOwnButton && <td className={classes.fold} />}
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

/** Marks an element that scrolls sideways while content is hidden beyond its end. */
const useOverflowMark = () =>
  useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const mark = () => {
      const isCut = element.scrollLeft + element.clientWidth < element.scrollWidth - 1
      element.toggleAttribute('data-is-cut', isCut)
    }
    // Called at first before the next paint, when the layout is known.
    const observer = new ResizeObserver(mark)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', mark, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', mark)
    }
  }, [])

/** Returns the section heading above each row: the name of its section for the first row of one. */
export function sectionNames<Row>(
  rows: readonly Row[],
  sectionOf: ((row: Row) => string) | undefined,
): readonly (string | undefined)[] {
  const names = sectionOf && rows.map(sectionOf)
  return rows.map((_, index) => (names?.[index] === names?.[index - 1] ? undefined : names?.[index]))
}

interface TableSumsProps<Row> {
  readonly sums: Sums
  readonly cells: readonly Cell<Row>[]
  /** Number of columns before and after those of the page. */
  readonly before: number
  readonly hasActions: boolean
}

/** The sticky row of sums. Its label spans the columns before the first sum. */
function TableSums<Row>({ sums, cells, before, hasActions }: TableSumsProps<Row>) {
  const summed = cells.findIndex((cell) => cell.some(({ id }) => id in sums.cells))
  const named = Math.max(1, summed)
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={before + named}>
          {sums.label}
        </th>
        {cells.slice(named).map((cell) => (
          <td key={cell[0].id} data-align={cell[0].align}>
            {cell.map(({ id }, index) => (
              <div key={id} className={index > 0 ? classes.below : undefined}>
                {sums.cells[id]}
              </div>
            ))}
          </td>
        ))}
        {hasActions && <td className={classes.actions} />}
      </tr>
    </tfoot>
  )
}
