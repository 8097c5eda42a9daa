import { ActionIcon, Button, Group, Input, SegmentedControl, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { TableEntries } from '@tollgate/contract'
import { useId, useState } from 'react'

import { useTranslation } from '../../../lib/i18n'
import classes from '../settings.module.css'
import { CodeControl } from './code-control'
import type { ControlProps } from './control-props'
import { repeatedNames, rowsOf, tableText, type TableRow } from './table-rows'
import { useTyped } from '../../../lib/use-typed'

/** A JSON table line by line, or as the text it is. */
export function TableControl(props: ControlProps) {
  const { option, field, value, onChange, isDisabled } = props
  const { t } = useTranslation('settings')
  const id = useId()
  const [isRaw, setRaw] = useState(false)
  const [rows, setRows] = useTyped(value, onChange, {
    show: (text) => rowsOf(text, option.entries),
    read: (lines: readonly TableRow[] | undefined) => tableText(lines ?? [], option.entries ?? 'text'),
  })
  const view = isRaw || !rows ? 'raw' : 'table'
  const switcher = (
    <SegmentedControl
      size="xs"
      value={view}
      onChange={(chosen) => setRaw(chosen === 'raw')}
      data={[
        { value: 'table', label: t('table.lines'), disabled: !rowsOf(value, option.entries) && view === 'raw' },
        {
          value: 'raw',
          label: t('table.raw'),
          disabled: rows !== undefined && option.entries !== 'link' && repeatedNames(rows).size > 0,
        },
      ]}
    />
  )
  if (view === 'raw' || !rows) {
    return (
      <div className={classes.tabled}>
        <div className={classes.view}>{switcher}</div>
        <CodeControl {...props} />
      </div>
    )
  }
  return (
    <div className={classes.tabled}>
      <div className={classes.view}>{switcher}</div>
      <Input.Wrapper {...field} labelElement="div" labelProps={{ id }}>
        <div role="group" aria-labelledby={id} className={classes.control}>
          <Lines rows={rows} entries={option.entries} onChange={setRows} isDisabled={isDisabled} />
        </div>
      </Input.Wrapper>
    </div>
  )
}

/** As a multiple of the width of names. */
const valueWidth = { number: 1, text: 2, link: 5 } as const

interface LinesProps {
  readonly rows: readonly TableRow[]
  readonly entries: TableEntries | undefined
  readonly onChange: (rows: readonly TableRow[]) => void
  readonly isDisabled: boolean
}

function Lines({ rows, entries, onChange, isDisabled }: LinesProps) {
  const { t } = useTranslation('settings')
  // Two links may have one name.
  const repeated = entries === 'link' ? new Set<string>() : repeatedNames(rows)
  const change = (index: number, part: Partial<TableRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <div className={classes.lines}>
      {rows.map(({ name, value }, index) => (
        // Lines have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={index} gap={6} wrap="nowrap" align="flex-start">
          <TextInput
            size="xs"
            flex={2}
            aria-label={t('table.name', { line: index + 1 })}
            value={name}
            onChange={(event) => change(index, { name: event.currentTarget.value })}
            error={name !== '' && repeated.has(name) ? t('table.repeated') : undefined}
            disabled={isDisabled}
          />
          <TextInput
            size="xs"
            flex={valueWidth[entries ?? 'text']}
            aria-label={t('table.value', { line: index + 1 })}
            value={value}
            onChange={(event) => change(index, { value: event.currentTarget.value })}
            inputMode={entries === 'number' ? 'decimal' : 'text'}
            disabled={isDisabled}
          />
          <ActionIcon
            aria-label={t('table.remove', { name: name || index + 1 })}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
            disabled={isDisabled}
          >
            <IconX size={15} />
          </ActionIcon>
        </Group>
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...rows, { name: '', value: '' }])}
          disabled={isDisabled}
        >
          {t('table.add')}
        </Button>
      </div>
    </div>
  )
}
