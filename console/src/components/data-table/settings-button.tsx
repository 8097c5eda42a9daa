import { ActionIcon } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { Tip } from '../tip'
import type { Room } from './room'
import type { Column } from './types'
import type { TablePreferences } from './use-table-preferences'

const TableSettings = lazy(async () => ({ default: (await import('./table-settings')).TableSettings }))

interface SettingsButtonProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly preferences: TablePreferences
  readonly room: Room
  /** Columns for which there is no room. */
  readonly leftOut: ReadonlySet<string>
}

export function SettingsButton<Row>({ columns, preferences, room, leftOut }: SettingsButtonProps<Row>) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  // The settings do not depend on the row type.
  const named = columns.map(({ id, title, isFixed, from }) => ({ id, title, isFixed, from, cell: () => null }))
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
            room={room}
            leftOut={leftOut}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
