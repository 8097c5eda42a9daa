import { ActionIcon } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { Tip } from '../tip'
import type { Column, WidthClass } from './types'
import type { TablePreferences } from './use-table-preferences'

const TableSettings = lazy(async () => ({ default: (await import('./table-settings')).TableSettings }))

interface SettingsButtonProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly preferences: TablePreferences
  readonly widthClass: WidthClass
  /** Columns for which there is no room. */
  readonly leftOut: ReadonlySet<string>
}

export function SettingsButton<Row>({ columns, preferences, widthClass, leftOut }: SettingsButtonProps<Row>) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  // The settings do not depend on the row type.
  const named = columns.map(({ id, title, isFixed, hiddenBelow }) => ({
    id,
    title,
    isFixed,
    hiddenBelow,
    cell: () => null,
  }))
  return (
    <>
      <Tip label={t('table.settings')}>
        <ActionIcon variant="default" aria-label={t('table.settings')} onClick={() => setOpen(true)}>
          <IconColumns3 size={17} />
        </ActionIcon>
      </Tip>
      {isOpen && (
        <Suspense>
          <TableSettings
            columns={named}
            preferences={preferences}
            widthClass={widthClass}
            leftOut={leftOut}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
