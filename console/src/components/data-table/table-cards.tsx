import { Checkbox, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import classes from './data-table.module.css'
import { openOnEnter } from './open-on-enter'
import { toggled } from './select-all'
import type { DataTableProps } from './types'
import type { TablePreferences } from './use-table-preferences'

interface TableCardsProps<Row> extends DataTableProps<Row> {
  readonly preferences: TablePreferences
}

/** The rows as cards, for narrow screens. */
export function TableCards<Row>(props: TableCardsProps<Row>) {
  const { label, columns, source, rowKey, selection, rowActions, onOpen, openKey, preferences } = props
  const { isMuted, isBad, unfolded } = props
  const { t } = useTranslation()
  const shown = preferences.shownOf(columns).filter(({ card }) => card !== 'hidden')
  const titles = shown.filter(({ card }) => card === 'title')
  const lines = shown.filter(({ card }) => card !== 'title')
  return (
    <ul className={classes.cards} aria-label={label}>
      {(source.rows ?? []).map((row) => {
        const key = rowKey(row)
        return (
          <li
            key={key}
            className={classes.card}
            data-is-open={key === openKey || undefined}
            data-is-muted={isMuted?.(row) || undefined}
            data-is-bad={isBad?.(row) || undefined}
            tabIndex={onOpen ? 0 : undefined}
            onClick={onOpen && (() => onOpen(row))}
            onKeyDown={onOpen && openOnEnter(() => onOpen(row))}
          >
            <Group gap={10} wrap="nowrap" className={classes.cardTitle}>
              {selection && (
                <span onClick={(event) => event.stopPropagation()}>
                  <Checkbox
                    aria-label={t('table.select')}
                    checked={selection.selected.has(key)}
                    onChange={() => selection.onChange(toggled(selection.selected, key))}
                  />
                </span>
              )}
              {titles.map(({ id, cell }) => (
                <div key={id} style={{ minWidth: 0 }}>
                  {cell(row)}
                </div>
              ))}
              {rowActions && (
                <div className={classes.cardActions} onClick={(event) => event.stopPropagation()}>
                  {rowActions(row)}
                </div>
              )}
            </Group>
            <dl className={classes.cardLines}>
              {lines.map(({ id, title, cell, cardCell = cell }) => (
                <div key={id}>
                  <dt>{title}</dt>
                  <dd>{cardCell(row)}</dd>
                </div>
              ))}
            </dl>
            {unfolded?.(row)}
          </li>
        )
      })}
    </ul>
  )
}
