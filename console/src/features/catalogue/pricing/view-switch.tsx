import { ActionIcon, Group } from '@mantine/core'
import { IconLayoutGrid, IconTable } from '@tabler/icons-react'

import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'

interface ViewSwitchProps {
  readonly isCards: boolean
  readonly onChange: (isCards: boolean) => void
}

/** Table or cards. */
export function ViewSwitch({ isCards, onChange }: ViewSwitchProps) {
  const { t } = useTranslation('pricing')
  const views = [
    { name: t('view.table'), Icon: IconTable, isCards: false },
    { name: t('view.cards'), Icon: IconLayoutGrid, isCards: true },
  ]
  return (
    <Group gap={2} wrap="nowrap" visibleFrom="xs">
      {views.map((view) => (
        <Tip key={view.name} label={view.name}>
          <ActionIcon
            aria-label={view.name}
            aria-pressed={view.isCards === isCards}
            variant={view.isCards === isCards ? 'default' : 'subtle'}
            onClick={() => onChange(view.isCards)}
          >
            <view.Icon size={17} />
          </ActionIcon>
        </Tip>
      ))}
    </Group>
  )
}
