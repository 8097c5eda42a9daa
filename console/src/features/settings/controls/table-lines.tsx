import { ActionIcon, Button, Group, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'

import { GroupSelect } from '../../../components/combobox/group-select'
import { useTranslation } from '../../../lib/i18n'
import classes from '../settings.module.css'
import type { TableColumn } from './table-columns'
import type { TableRow } from './table-rows'

/** Fields of more lines than people look through would make the page slow. */
const mostShown = 100

const gap = 'var(--gap-xs)'

interface TableLinesProps {
  readonly columns: readonly TableColumn[]
  readonly rows: readonly TableRow[]
  /** Places of lines whose names stand on another line too. */
  readonly repeated: ReadonlySet<number>
  readonly onChange: (rows: readonly TableRow[]) => void
  readonly isDisabled: boolean
}

/** The lines of a table with a field for each cell. */
export function TableLines({ columns, rows, repeated, onChange, isDisabled }: TableLinesProps) {
  const { t } = useTranslation('settings')
  const [isWhole, setWhole] = useState(false)
  const [added, setAdded] = useState<number>()
  const shown = isWhole ? rows : rows.slice(0, mostShown)
  const write = (line: number, column: number, text: string) =>
    onChange(rows.map((row, at) => (at === line ? row.with(column, text) : row)))
  const add = () => {
    setWhole(true)
    setAdded(rows.length)
    onChange([...rows, columns.map(() => '')])
  }
  return (
    <div className={classes.lines}>
      {rows.length > 0 && (
        <Group gap={gap} wrap="nowrap" align="flex-end" className={classes.columns} aria-hidden>
          {columns.map(({ name, width, minWidth }) => (
            <span key={name} style={{ flex: width, minWidth }}>
              {t(`table.column.${name}`)}
            </span>
          ))}
          <ActionIcon component="span" className={classes.space} />
        </Group>
      )}
      {shown.map((row, line) => (
        // Lines have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={line} gap={gap} wrap="nowrap" align="flex-start">
          {columns.map((column, at) => (
            <Cell
              key={column.name}
              column={column}
              label={t('table.cell', { column: t(`table.column.${column.name}`), line: line + 1 })}
              value={row[at] ?? ''}
              onChange={(text) => write(line, at, text)}
              isFirst={at === 0 && line === added}
              error={at === 0 && repeated.has(line) ? t('table.repeated') : isWrong(column, row[at])}
              isDisabled={isDisabled}
            />
          ))}
          <ActionIcon
            aria-label={t('table.remove', { name: row[0] || line + 1 })}
            onClick={() => onChange(rows.filter((_, place) => place !== line))}
            disabled={isDisabled}
          >
            <IconX size={15} />
          </ActionIcon>
        </Group>
      ))}
      <Group gap={8}>
        {shown.length < rows.length && (
          <Button variant="default" onClick={() => setWhole(true)}>
            {t('table.all', { count: rows.length })}
          </Button>
        )}
        <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add} disabled={isDisabled}>
          {t('table.add')}
        </Button>
      </Group>
    </div>
  )
}

/** Words where a number belongs; which line it is stands below the table. */
const isWrong = ({ kind }: TableColumn, cell = '') => kind === 'number' && !Number.isFinite(Number(cell))

interface CellProps {
  readonly column: TableColumn
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  /** Where typing begins in a line that was just added. */
  readonly isFirst: boolean
  readonly error: string | boolean | undefined
  readonly isDisabled: boolean
}

function Cell({ column: { kind, width, minWidth }, label, value, onChange, isFirst, error, isDisabled }: CellProps) {
  const { t } = useTranslation('settings')
  const field = {
    size: 'xs',
    flex: width,
    miw: minWidth,
    'aria-label': label,
    autoFocus: isFirst,
    error,
    disabled: isDisabled,
  } as const
  if (kind === 'group') {
    return (
      <GroupSelect
        {...field}
        value={value}
        onChange={(group) => onChange(group ?? '')}
        free={(group) => ({ value: group, label: group, hint: t('table.newGroup') })}
      />
    )
  }
  return (
    <TextInput
      {...field}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
    />
  )
}
