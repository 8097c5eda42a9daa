import { Group, Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { RatioBadge } from '../../../components/ratio-badge'
import { useKnownChoices } from '../hooks/choices-context'

interface GroupFieldProps {
  /** Empty: the reader's own. */
  readonly group: string
  readonly onChange: (group: string) => void
}

/** Whose channels answer, at whose prices. */
export function GroupField({ group, onChange }: GroupFieldProps) {
  const { t } = useTranslation('playground')
  const { groups, ownGroup } = useKnownChoices()
  const value = group || ownGroup
  const chosen = groups[value]
  const names = chosen || value === '' ? Object.keys(groups) : [value, ...Object.keys(groups)]
  return (
    <Select
      label={
        <Group gap={8} component="span" display="inline-flex">
          {t('setting.group')}
          {chosen && <RatioBadge ratio={chosen.ratio} />}
        </Group>
      }
      description={chosen?.desc}
      data={names}
      value={value}
      onChange={(next) => next !== null && onChange(next)}
      allowDeselect={false}
      searchable={names.length > 8}
      disabled={names.length === 0}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" style={{ flex: 1, minWidth: 0 }}>
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Text size="sm">{option.value}</Text>
            <Text size="xs" c="dimmed">
              {groups[option.value]?.desc}
            </Text>
          </div>
          {groups[option.value] && <RatioBadge ratio={groups[option.value]?.ratio ?? 1} />}
        </Group>
      )}
    />
  )
}
