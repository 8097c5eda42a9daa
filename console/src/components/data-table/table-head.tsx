import { UnstyledButton } from '@mantine/core'
import { Fragment, type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'

import { useTranslation } from '../../lib/text/i18n'
import { type Cell, columnWidths, fixedWidth } from './columns'
import classes from './data-table.module.css'
import type { Column, Sorting } from './types'
import type { TablePreferences } from './use-table-preferences'

interface HeadCellProps<Row> {
  readonly cell: Cell<Row>
  readonly sorting?: Sorting
  readonly preferences: Pick<TablePreferences, 'widthOf' | 'setWidth'>
}

/** The names of the columns that share a cell, each sortable by itself, and the resize handle. */
export function HeadCell<Row>({ cell, sorting, preferences }: HeadCellProps<Row>) {
  const { id, align, width } = cell[0]
  const chosen = preferences.widthOf(id)
  const names = cell.map(({ title }) => title).join(' · ')
  const isSorted = cell.some(({ id }) => id === sorting?.column)
  const direction = isSorted ? (sorting?.isDescending ? 'descending' : 'ascending') : undefined
  const isWide = chosen === undefined && cell.some((column) => column.isWide)
  return (
    <th
      data-column={id}
      data-align={align}
      style={fixedWidth(chosen) ?? { width }}
      aria-sort={direction}
      aria-label={names}
    >
      <div className={isWide ? classes.wideNames : undefined} title={isWide ? names : undefined}>
        {cell.map((column, index) => (
          <Fragment key={column.id}>
            {index > 0 && ' · '}
            {sorting && (column.isSortable || column.sortBy) ? (
              <SortButton column={column} sorting={sorting} />
            ) : (
              column.title
            )}
          </Fragment>
        ))}
      </div>
      <ColumnResizer title={names} width={chosen} onResize={(to) => preferences.setWidth(id, to)} />
    </th>
  )
}

function SortButton<Row>({ column, sorting }: { readonly column: Column<Row>; readonly sorting: Sorting }) {
  const { t } = useTranslation()
  const { id, title, sortBy } = column
  const Arrow = sorting.isDescending ? IconArrowDown : IconArrowUp
  return (
    <UnstyledButton
      className={classes.sort}
      title={sortBy && t('table.sortsPage')}
      onClick={() => sortFurther(column, sorting)}
    >
      {title}
      {sorting.column === id && <Arrow size={13} />}
    </UnstyledButton>
  )
}

/** Cycles the order: names begin ascending, all else descending; then the reverse, then unsorted. */
function sortFurther<Row>({ id, isFixed = false }: Column<Row>, sorting: Sorting) {
  const beginsDescending = !isFixed
  if (sorting.column !== id) sorting.onChange(id, beginsDescending)
  else if (sorting.isDescending === beginsDescending || !sorting.onReset) sorting.onChange(id, !sorting.isDescending)
  else sorting.onReset()
}

const { min, max } = columnWidths
const widthStep = 16

interface ColumnGripProps {
  readonly title: string
  /** Pixels; undefined: as wide as its content. */
  readonly width: number | undefined
  readonly onResize: (width: number | undefined) => void
}

/** Resize handle at the edge of a column's head. Arrow keys work too; a double click or Enter fits the content. */
function ColumnResizer({ title, width, onResize }: ColumnGripProps) {
  const { t } = useTranslation()
  const drag = useRef<{ readonly x: number; readonly width: number }>(null)
  const resize = (to: number) => onResize(Math.round(Math.min(Math.max(to, min), max)))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    if (event.key === 'Enter') return onResize(undefined)
    resize((width ?? widthOf(event.currentTarget)) + (event.key === 'ArrowRight' ? widthStep : -widthStep))
  }
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, width: widthOf(event.currentTarget) }
  }
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (drag.current) resize(drag.current.width + clientX - drag.current.x)
  }
  const onEnd = () => (drag.current = null)
  return (
    <span
      className={classes.resizer}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('table.width', { title })}
      aria-valuenow={width ?? 0}
      aria-valuetext={width === undefined ? t('table.fits') : t('table.pixels', { width })}
      aria-valuemin={0}
      aria-valuemax={max}
      title={t('table.widthHint')}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onEnd}
      onPointerCancel={onEnd}
      onDoubleClick={() => onResize(undefined)}
    />
  )
}

const widthOf = (resizer: Element) => resizer.closest('th')?.getBoundingClientRect().width ?? min
