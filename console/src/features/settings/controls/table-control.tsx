import { Input, SegmentedControl } from '@mantine/core'
import { useId, useState } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import { useTyped } from '../../../lib/text/use-typed'
import classes from '../settings.module.css'
import { CodeControl } from './code-control'
import type { ControlProps } from './control-props'
import { columnsOf } from './table-columns'
import { TableLines } from './table-lines'
import { repeatedLines, rowsOf, tableText, type TableRow } from './table-rows'

/** Edits a JSON table line by line, or as text. */
export function TableControl(props: ControlProps) {
  const { option, field, value, onChange, isDisabled } = props
  const { entries = 'text' } = option
  const { t } = useTranslation('settings')
  const id = useId()
  const [isRaw, setRaw] = useState(false)
  const [rows, setRows] = useTyped(value, onChange, {
    show: (text) => rowsOf(text, entries),
    read: (lines: readonly TableRow[] | undefined) => tableText(lines ?? [], entries),
  })
  const view = isRaw || !rows ? 'raw' : 'table'
  const repeated = repeatedLines(rows ?? [], entries)
  const switcher = (
    <SegmentedControl
      size="xs"
      aria-label={t('view.of', { name: field.label })}
      value={view}
      onChange={(chosen) => setRaw(chosen === 'raw')}
      data={[
        { value: 'table', label: t('table.lines'), disabled: !rowsOf(value, entries) && view === 'raw' },
        { value: 'raw', label: t('table.raw'), disabled: repeated.size > 0 },
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
          <TableLines
            columns={columnsOf(option)}
            rows={rows}
            repeated={repeated}
            onChange={setRows}
            isDisabled={isDisabled}
            isOrdered={entries === 'strategy'}
          />
        </div>
      </Input.Wrapper>
    </div>
  )
}
