import { VisuallyHidden } from '@mantine/core'
import { Fragment } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import classes from './data-table.module.css'
import { openOnEnter, ownClick } from './row-keys'
import { sectionNames } from './table-grid'
import { ExpandButton, RowCheckbox, toggle } from './row-controls'
import type { Column, DataTableProps } from './types'
import type { TablePreferences } from './use-table-preferences'

export interface TableCardsProps<Row> extends DataTableProps<Row> {
  readonly rows: readonly Row[]
  readonly preferences: TablePreferences
}

/** The rows as cards, for narrow screens: a first line, a second line of shared values, and further lines. */
export function TableCards<Row>(props: TableCardsProps<Row>) {
  const { label, columns, rows, rowKey, preferences } = props
  const shown = preferences.visibleColumns(columns)
  const names = sectionNames(rows, props.sectionOf)
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row, index) => (
        <Fragment key={rowKey(row)}>
          {names[index] !== undefined && <li className={classes.cardSection}>{names[index]}</li>}
          <Card {...props} row={row} shown={shown} />
        </Fragment>
      ))}
    </ul>
  )
}

interface CardProps<Row> extends DataTableProps<Row> {
  readonly row: Row
  readonly shown: readonly Column<Row>[]
}

function Card<Row>(props: CardProps<Row>) {
  const { row, shown, rowKey, selection, rowActions, onOpen, openKey, isMuted, isBad, expansion } = props
  const { t } = useTranslation()
  const key = rowKey(row)
  const of = (...kinds: readonly Column<Row>['card'][]) => shown.filter(({ card = 'line' }) => kinds.includes(card))
  const isExpanded = expansion?.expanded.has(key) ?? false
  return (
    <li
      className={classes.card}
      data-is-open={key === openKey || undefined}
      data-is-picked={selection?.selected.has(key) || undefined}
      data-is-muted={isMuted?.(row) || undefined}
      data-is-bad={isBad?.(row) || undefined}
      tabIndex={onOpen ? 0 : undefined}
      onClick={onOpen && ownClick(() => onOpen(row))}
      onKeyDown={onOpen && openOnEnter(() => onOpen(row))}
    >
      <div className={classes.cardTitle}>
        {selection && (
          <span onClick={(event) => event.stopPropagation()}>
            <RowCheckbox
              aria-label={t('table.select')}
              checked={selection.selected.has(key)}
              onChange={() => selection.onChange(toggle(selection.selected, key))}
            />
          </span>
        )}
        {of('title').map((column) => (
          <div key={column.id}>{renderCell(column, row)}</div>
        ))}
        <div className={classes.cardEnd}>
          {of('trailing').map((column) => (
            <div key={column.id}>{renderCell(column, row)}</div>
          ))}
          {expansion?.canExpand(row) && !expansion.hasOwnButton && (
            <ExpandButton isExpanded={isExpanded} onToggle={() => expansion.onToggle(key)} label={t('table.unfold')} />
          )}
          {rowActions && (
            <div className={classes.cardActions} onClick={(event) => event.stopPropagation()}>
              {rowActions(row)}
            </div>
          )}
        </div>
      </div>
      <dl className={classes.cardFacts}>
        {of('plain', 'fact').map((column) => (
          <div key={column.id}>
            {column.card === 'plain' ? (
              <VisuallyHidden component="dt">{column.title}</VisuallyHidden>
            ) : (
              <dt>{column.title}</dt>
            )}
            <dd>{renderCell(column, row)}</dd>
          </div>
        ))}
      </dl>
      <dl className={classes.cardLines}>
        {of('line').map((column) => (
          <div key={column.id}>
            <dt>{column.title}</dt>
            <dd>{renderCell(column, row)}</dd>
          </div>
        ))}
      </dl>
      {isExpanded && expansion?.content(row)}
    </li>
  )
}

const renderCell = <Row,>({ cell, cardCell = cell }: Column<Row>, row: Row) => cardCell(row)
