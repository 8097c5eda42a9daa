import { ActionIcon, Button, Checkbox, Group, TextInput } from '@mantine/core'
import { IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { useState, type ComponentProps } from 'react'

import { ChoiceSelect } from '../../../components/fields/choice-select'
import { GroupSelect } from '../../../components/combobox/group-select'
import { MoneyInput } from '../../../components/fields/money-input'
import { PageSteps } from '../../../components/page/page-steps'
import { useIsPhone } from '../../../lib/browser/breakpoints'
import { useTranslation } from '../../../lib/text/i18n'
import classes from '../settings.module.css'
import { strategyChoices, type TableColumn } from './table-columns'
import { checked, type TableRow } from './table-rows'

/** Rendering thousands of lines at once would block the page for a minute. */
const linesOfPage = 50

const gap = 'var(--gap-xs)'

/** More columns than a phone has room for stand two in a line, each below its name. */
const maxInRow = 3

interface TableLinesProps {
  readonly columns: readonly TableColumn[]
  readonly rows: readonly TableRow[]
  /** Indexes of lines whose names are duplicates. */
  readonly repeated: ReadonlySet<number>
  readonly onChange: (rows: readonly TableRow[]) => void
  readonly isDisabled: boolean
  /** The first line that fits counts, so lines can be moved. */
  readonly isOrdered?: boolean
}

/** The lines of a table, with a field for each cell. */
export function TableLines({ columns, rows, repeated, onChange, isDisabled, isOrdered = false }: TableLinesProps) {
  const { t } = useTranslation('settings', 'strategies')
  const [requestedPage, setPage] = useState(1)
  const [added, setAdded] = useState<number>()
  const isFolded = useIsPhone() && columns.length > maxInRow
  const last = pagesOf(rows.length)
  const page = Math.min(requestedPage, last)
  const first = (page - 1) * linesOfPage
  const write = (line: number, column: number, text: string) =>
    onChange(rows.map((row, at) => (at === line ? row.with(column, text) : row)))
  const moveUp = (line: number) =>
    onChange(
      rows.map((row, at) => (at === line ? (rows[line - 1] ?? row) : at === line - 1 ? (rows[line] ?? row) : row)),
    )
  const add = () => {
    setPage(pagesOf(rows.length + 1))
    setAdded(rows.length)
    onChange([...rows, columns.map(() => '')])
  }
  return (
    <div className={classes.lines} data-is-folded={isFolded || undefined}>
      {rows.length > 0 && !isFolded && (
        <Group gap={gap} wrap="nowrap" align="flex-end" className={classes.columns} aria-hidden>
          {columns.map(({ name, width, minWidth }) => (
            <span key={name} style={{ flex: width, minWidth }}>
              {t(`table.column.${name}`)}
            </span>
          ))}
          {isOrdered && <ActionIcon component="span" className={classes.space} />}
          <ActionIcon component="span" className={classes.space} />
        </Group>
      )}
      {indexesFrom(first, rows.length).map((line) => (
        // Lines have no identity but their index.
        <Group key={line} gap={gap} wrap={isFolded ? 'wrap' : 'nowrap'} align={isFolded ? 'flex-end' : 'flex-start'}>
          {columns.map((column, at) => (
            <Cell
              key={column.name}
              column={column}
              label={t('table.cell', { column: t(`table.column.${column.name}`), line: line + 1 })}
              value={rows[line]?.[at] ?? ''}
              onChange={(text) => write(line, at, text)}
              isFolded={isFolded}
              isFirst={at === 0 && line === added}
              error={at === 0 && repeated.has(line) ? t('table.repeated') : isWrong(column, rows[line]?.[at])}
              isDisabled={isDisabled}
            />
          ))}
          {isOrdered && (
            <ActionIcon
              aria-label={t('strategies:moveUp', { line: line + 1 })}
              onClick={() => moveUp(line)}
              disabled={isDisabled || line === 0}
            >
              <IconArrowUp size={15} />
            </ActionIcon>
          )}
          <ActionIcon
            aria-label={t('table.remove', { name: rows[line]?.[0] || line + 1 })}
            onClick={() => onChange(rows.filter((_, index) => index !== line))}
            disabled={isDisabled}
          >
            <IconX size={15} />
          </ActionIcon>
        </Group>
      ))}
      <Group gap={8} justify="space-between">
        <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add} disabled={isDisabled}>
          {t('table.add')}
        </Button>
        {last > 1 && <PageSteps page={page} last={last} onChange={setPage} />}
      </Group>
    </div>
  )
}

const pagesOf = (lines: number): number => Math.max(Math.ceil(lines / linesOfPage), 1)

const indexesFrom = (first: number, lines: number): readonly number[] =>
  Array.from({ length: Math.min(linesOfPage, lines - first) }, (_, at) => first + at)

/** Whether a number cell contains text; which line it is is shown below the table. */
const isWrong = ({ kind }: TableColumn, cell = '') => kind === 'number' && !Number.isFinite(Number(cell))

interface CellProps {
  readonly column: TableColumn
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  /** Has its name above. */
  readonly isFolded: boolean
  /** Receives the focus in a newly added line. */
  readonly isFirst: boolean
  readonly error: string | boolean | undefined
  readonly isDisabled: boolean
}

type StrategyCellProps = Pick<CellProps, 'value' | 'onChange'> &
  Omit<ComponentProps<typeof ChoiceSelect>, 'choices' | 'value' | 'onChange'>

function StrategyCell({ value, onChange, ...field }: StrategyCellProps) {
  const { t } = useTranslation('strategies')
  const choices = strategyChoices.map((strategy) => ({ value: strategy, label: t(`name.${strategy}`) }))
  return (
    <ChoiceSelect
      {...field}
      choices={choices}
      value={choices.find((choice) => choice.value === value)?.value ?? strategyChoices[0]}
      onChange={onChange}
    />
  )
}

function Cell({ column, label, value, onChange, isFolded, isFirst, error, isDisabled }: CellProps) {
  const { t } = useTranslation('settings')
  const { name, kind, width, minWidth } = column
  const field = {
    size: 'xs',
    ...(isFolded ? { flex: '1 1 34%', label: t(`table.column.${name}`) } : { flex: width, miw: minWidth }),
    'aria-label': label,
    autoFocus: isFirst,
    error,
    disabled: isDisabled,
  } as const
  if (kind === 'group') {
    return (
      <GroupSelect
        {...field}
        value={value === '' ? null : value}
        placeholder={name === 'group' ? t('strategies:allGroups') : undefined}
        isClearable={name === 'group'}
        onChange={(group) => onChange(group ?? '')}
        free={(group) => ({ value: group, label: group, hint: t('table.newGroup') })}
      />
    )
  }
  if (kind === 'strategy') return <StrategyCell {...field} value={value} onChange={onChange} />
  if (kind === 'quota') return <MoneyInput {...field} value={value} onChange={(quota) => onChange(String(quota))} />
  if (kind === 'flag') {
    return (
      <Checkbox
        {...field}
        // In the middle of the fields beside it.
        mt={isFolded ? undefined : 7}
        checked={value === checked}
        onChange={(event) => onChange(event.currentTarget.checked ? checked : '')}
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
