import { ActionIcon, Button, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { useIsPhone } from '../../lib/browser/breakpoints'
import { useTranslation } from '../../lib/text/i18n'
import classes from './data-table.module.css'
import type { Selection } from './types'

interface BulkBarProps<Row> {
  readonly selection: Selection<Row>
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
}

/** Actions for the selected rows. It covers the toolbar, so that the table does not move. */
export function BulkBar<Row>({ selection, rows, rowKey }: BulkBarProps<Row>) {
  const { t } = useTranslation()
  const { selected, onChange, actions } = selection
  const isPhone = useIsPhone()
  const clear = () => onChange(new Set())
  return (
    <div className={classes.bulkBar} role="region" aria-label={t('table.bulk')}>
      {/* Stays visible, however many actions follow. */}
      {isPhone && (
        <ActionIcon aria-label={t('table.clearSelection')} onClick={clear}>
          <IconX size={18} />
        </ActionIcon>
      )}
      <Text size="sm" fw={500}>
        {t('table.selected', { count: selected.size })}
      </Text>
      {actions(
        rows.filter((row) => selected.has(rowKey(row))),
        clear,
      )}
      {!isPhone && (
        <Button variant="subtle" color="gray" onClick={clear} ml="auto">
          {t('table.clearSelection')}
        </Button>
      )}
    </div>
  )
}
