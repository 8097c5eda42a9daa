import { Checkbox, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import {
  columnOrderingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import classes from './data-table.module.css'
import { openOnEnter } from './open-on-enter'
import type { Column, DataTableProps, Sorting } from './types'
import { useRowKeys } from './use-row-keys'
import type { TablePreferences } from './use-table-preferences'

const features = tableFeatures({ columnOrderingFeature, columnVisibilityFeature, rowSelectionFeature })

interface TableGridProps<Row> extends DataTableProps<Row> {
  readonly preferences: TablePreferences
}

/** The rows as a table with a head that stays and actions that stay. */
export function TableGrid<Row>(props: TableGridProps<Row>) {
  const { label, columns, source, rowKey, selection, sorting, rowActions, onOpen, openKey, isMuted, preferences } =
    props
  const { t } = useTranslation()
  const rows = source.rows ?? []
  const table = useGridTable(props)
  const byId = new Map(columns.map((column) => [column.id, column]))
  const shown = table.getVisibleLeafColumns().flatMap(({ id }) => byId.get(id) ?? [])
  const body = useRowKeys()
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={classes.table} data-density={preferences.density}>
        <thead>
          <tr>
            {selection && (
              <th className={classes.tick}>
                <Checkbox
                  size="xs"
                  aria-label={t('table.selectAll')}
                  checked={table.getIsAllRowsSelected()}
                  indeterminate={table.getIsSomeRowsSelected()}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              </th>
            )}
            {shown.map((column) => (
              <HeadCell key={column.id} column={column} sorting={sorting} />
            ))}
            {rowActions && <th className={classes.actions}>{t('table.actions')}</th>}
          </tr>
        </thead>
        <tbody ref={body.ref} onKeyDown={body.onKeyDown}>
          {rows.map((row) => {
            const key = rowKey(row)
            return (
              <tr
                key={key}
                data-row={key}
                data-is-open={key === openKey || undefined}
                data-is-muted={isMuted?.(row) || undefined}
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
                {shown.map((column) => (
                  <td key={column.id} data-align={column.align}>
                    {column.cell(row)}
                  </td>
                ))}
                {rowActions && (
                  <td className={classes.actions} onClick={(event) => event.stopPropagation()}>
                    {rowActions(row)}
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** The table library keeps which columns stand where and what is selected; cells are drawn by our own columns. */
function useGridTable<Row>({ columns, source, rowKey, selection, preferences }: TableGridProps<Row>) {
  const definitions = useMemo<ColumnDef<typeof features, { readonly key: string }>[]>(
    () => columns.map(({ id, title }) => ({ id, header: title })),
    [columns],
  )
  const data = useMemo(() => (source.rows ?? []).map((row) => ({ key: rowKey(row) })), [source.rows, rowKey])
  const rowSelection = Object.fromEntries([...(selection?.selected ?? [])].map((key) => [key, true as const]))
  return useTable({
    features,
    columns: definitions,
    data,
    getRowId: ({ key }) => key,
    state: {
      columnOrder: [...preferences.order],
      columnVisibility: Object.fromEntries(columns.map(({ id }) => [id, preferences.isShown(id)])),
      rowSelection,
    },
    onRowSelectionChange: (change) => {
      const next = typeof change === 'function' ? change(rowSelection) : change
      selection?.onChange(new Set(Object.keys(next)))
    },
  })
}

function HeadCell<Row>({ column, sorting }: { readonly column: Column<Row>; readonly sorting?: Sorting }) {
  const { id, title, align, width, isSortable } = column
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

function toggled(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(key)) next.add(key)
  return next
}
