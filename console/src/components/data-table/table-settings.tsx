import { ActionIcon, Button, Checkbox, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'

import { useTranslation } from '../../lib/text/i18n'
import { FocusBack } from '../focus-back'
import { fits } from './columns'
import type { Column, WidthClass } from './types'
import { densities, type Density, type TablePreferences } from './use-table-preferences'

interface TableSettingsProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly preferences: TablePreferences
  readonly widthClass: WidthClass
  /** Columns that did not fit. */
  readonly leftOut: ReadonlySet<string>
  readonly onClose: () => void
}

/** Visible columns, their order, and row density. */
export function TableSettings<Row>({ columns, preferences, widthClass, leftOut, onClose }: TableSettingsProps<Row>) {
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('table.settings')}
      size="xs"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <FocusBack />
      <Stack gap={6}>
        <SegmentedControl
          size="xs"
          aria-label={t('table.densityLabel')}
          value={preferences.density}
          onChange={(value: Density) => preferences.setDensity(value)}
          data={densities.map((value) => ({ value, label: t(`table.density.${value}`) }))}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {t('table.columns')}
        </Text>
        {preferences.order.map((id) => {
          const column = columns.find((candidate) => candidate.id === id)
          return (
            column && (
              <ColumnLine
                key={id}
                column={column}
                preferences={preferences}
                fits={fits(widthClass, column.hiddenBelow) && !leftOut.has(id)}
              />
            )
          )
        })}
        <Button variant="subtle" color="gray" onClick={preferences.reset}>
          {t('table.reset')}
        </Button>
      </Stack>
    </Modal>
  )
}

interface ColumnLineProps<Row> {
  readonly column: Column<Row>
  readonly preferences: TablePreferences
  readonly fits: boolean
}

/** A column hidden for lack of room counts as hidden: choosing it shows it anyway. */
function ColumnLine<Row>({ column, preferences, fits }: ColumnLineProps<Row>) {
  const { t } = useTranslation()
  const { id, title, isFixed } = column
  const isLeftOut = !fits && !preferences.isRequested(id)
  return (
    <Group justify="space-between" wrap="nowrap" gap={4}>
      <Checkbox
        size="xs"
        label={title}
        description={isLeftOut && preferences.isShown(id) ? t('table.leftOut') : undefined}
        checked={preferences.isShown(id) && !isLeftOut}
        disabled={isFixed}
        onChange={({ currentTarget }) => preferences.show(id, currentTarget.checked)}
      />
      <Group gap={0} wrap="nowrap">
        <ActionIcon size={24} aria-label={t('table.earlier', { title })} onClick={() => preferences.move(id, -1)}>
          <IconChevronUp size={14} />
        </ActionIcon>
        <ActionIcon size={24} aria-label={t('table.later', { title })} onClick={() => preferences.move(id, 1)}>
          <IconChevronDown size={14} />
        </ActionIcon>
      </Group>
    </Group>
  )
}
