import { Group, Select, Text } from '@mantine/core'
import { groupRoutes } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { RatioBadge } from '../../components/ratio-badge'
import { useRead } from '../../lib/query'
import type { TokenForm } from './use-token-form'

/** Which group's channels and prices the token uses. */
export function GroupField({ form }: { readonly form: TokenForm }) {
  const { t } = useTranslation('tokens')
  const groups = useRead(groupRoutes.ownGroups)
  const known = groups.data ?? {}
  const { group } = form.values
  const chosen = group === null ? undefined : known[group]
  const isNone = groups.data !== undefined && Object.keys(known).length === 0
  // A group that is no longer offered stays visible until another is chosen.
  const names = group === null || known[group] ? Object.keys(known) : [...Object.keys(known), group]
  return (
    <Select
      label={
        <Group gap={8} component="span" display="inline-flex">
          {t('field.group')}
          {chosen && <RatioBadge ratio={chosen.ratio} />}
        </Group>
      }
      description={chosen?.desc}
      placeholder={isNone ? t('group.none') : t('group.own')}
      disabled={isNone}
      data={names}
      clearable
      searchable={names.length > 8}
      renderOption={({ option }) => (
        <Choice name={option.value} description={known[option.value]?.desc} ratio={known[option.value]?.ratio} />
      )}
      {...form.getInputProps('group')}
    />
  )
}

interface ChoiceProps {
  readonly name: string
  readonly description: string | undefined
  readonly ratio: number | undefined
}

function Choice({ name, description, ratio }: ChoiceProps) {
  return (
    <Group justify="space-between" wrap="nowrap" w="100%">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" truncate>
          {name}
        </Text>
        {description && (
          <Text size="xs" c="dimmed" truncate>
            {description}
          </Text>
        )}
      </div>
      {ratio !== undefined && <RatioBadge ratio={ratio} />}
    </Group>
  )
}
