import { useTranslation } from '../../lib/text/i18n'
import { type Cell, fixedWidth } from './columns'
import classes from './data-table.module.css'
import { openOnEnter, ownClick } from './row-keys'
import { ExpandButton, RowCheckbox, toggle } from './row-controls'
import type { Column, DataTableProps } from './types'

interface TableRowProps<Row> extends Pick<
  DataTableProps<Row>,
  'selection' | 'rowActions' | 'onOpen' | 'openKey' | 'isMuted' | 'isBad' | 'expansion'
> {
  readonly row: Row
  readonly rowKey: string
  readonly cells: readonly Cell<Row>[]
  /** Pixels, where the reader chose them. */
  readonly widthOf: (column: string) => number | undefined
  /** Name of the section that begins with this row. */
  readonly section?: string
}

/** One row, the section heading above it, and its expanded details below. */
export function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, rowKey, cells, widthOf, section, selection, rowActions, onOpen, openKey, isMuted, isBad, expansion } =
    props
  const { t } = useTranslation()
  const canExpand = expansion?.canExpand(row) ?? false
  const isExpanded = canExpand && expansion?.expanded.has(rowKey)
  const isPicked = selection?.selected.has(rowKey) ?? false
  const hasExpandColumn = expansion && !expansion.hasOwnButton
  const width = cells.length + [selection, hasExpandColumn, rowActions].filter(Boolean).length
  return (
    <>
      {section !== undefined && (
        <tr className={classes.section}>
          <th scope="rowgroup" colSpan={width}>
            {section}
          </th>
        </tr>
      )}
      <tr
        data-row={rowKey}
        data-is-open={rowKey === openKey || undefined}
        data-is-picked={isPicked || undefined}
        data-is-muted={isMuted?.(row) || undefined}
        data-is-bad={isBad?.(row) || undefined}
        data-can-open={onOpen ? true : undefined}
        tabIndex={onOpen ? 0 : undefined}
        onClick={onOpen && ownClick(() => onOpen(row))}
        onKeyDown={onOpen && openOnEnter(() => onOpen(row))}
      >
        {selection && (
          <td className={classes.tick} onClick={(event) => event.stopPropagation()}>
            <RowCheckbox
              aria-label={t('table.select')}
              checked={isPicked}
              onChange={() => selection.onChange(toggle(selection.selected, rowKey))}
            />
          </td>
        )}
        {hasExpandColumn && (
          <td className={classes.fold}>
            {canExpand && (
              <ExpandButton
                isExpanded={isExpanded === true}
                onToggle={() => expansion.onToggle(rowKey)}
                label={t('table.unfold')}
              />
            )}
          </td>
        )}
        {cells.map((cell) => (
          <TableCell key={cell[0].id} cell={cell} row={row} width={widthOf(cell[0].id)} />
        ))}
        {rowActions && (
          <td className={classes.actions} onClick={(event) => event.stopPropagation()}>
            {rowActions(row)}
          </td>
        )}
      </tr>
      {isExpanded && (
        <tr className={classes.unfolded}>
          <td colSpan={width}>{expansion?.content(row)}</td>
        </tr>
      )}
    </>
  )
}

interface TableCellProps<Row> {
  readonly cell: Cell<Row>
  readonly row: Row
  readonly width: number | undefined
}

/** As wide as the reader chose, or the remaining width for wide columns. */
function TableCell<Row>({ cell, row, width }: TableCellProps<Row>) {
  const [column, ...below] = cell
  const isHeld = width !== undefined
  const isWide = !isHeld && cell.some((column) => column.isWide)
  const content = (
    <>
      {column.cell(row)}
      {below.map((column) => (
        <Below key={column.id} column={column} row={row} />
      ))}
    </>
  )
  return (
    <td
      data-align={column.align}
      data-is-wide={isWide || undefined}
      data-is-held={isHeld || undefined}
      style={fixedWidth(width)}
    >
      {isWide ? <div className={classes.wide}>{content}</div> : content}
    </td>
  )
}

const Below = <Row,>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) => (
  <div className={classes.below}>{(column.belowCell ?? column.cell)(row)}</div>
)
