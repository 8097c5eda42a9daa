import { Group, Text } from '@mantine/core'
import type { channelRoutes } from '@tollgate/contract'
import { IconAlertTriangle } from '@tabler/icons-react'

import { useTranslation } from '../../../../lib/text/i18n'

type Vendor = channelRoutes.ChannelType

/** Models of the channel that its vendor has retired. */
export function RetiredModels({ models, vendor }: { readonly models: readonly string[]; readonly vendor: Vendor }) {
  const { t } = useTranslation('channel-editor')
  const chosen = new Set(models)
  const found = vendor.retired_models.filter(({ name }) => chosen.has(name)).map(({ name }) => name)
  if (found.length === 0) return null
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" role="status">
      <IconAlertTriangle size={16} style={{ flex: 'none', marginTop: 3 }} color="var(--warn)" />
      <Text size="sm">{t('models.retired', { count: found.length, models: found.join(', ') })}</Text>
    </Group>
  )
}

interface ModelOptionProps {
  readonly name: string
  readonly vendor: Vendor | undefined
}

/** A suggested model, marked when it is retired. */
export function ModelOption({ name, vendor }: ModelOptionProps) {
  const { t } = useTranslation('channel-editor')
  const retired = vendor?.retired_models.find((model) => model.name === name)
  if (!retired) return name
  return (
    <Group gap={8} justify="space-between" w="100%">
      <span>{name}</span>
      <Text size="xs" c="dimmed">
        {retired.since === null ? t('models.deprecated') : t('models.retiredSince', { day: retired.since })}
      </Text>
    </Group>
  )
}

/** Returns the vendor's suggested models that are not retired. */
export const currentModels = (vendor: Vendor | undefined): string[] => {
  const retired = new Set(vendor?.retired_models.map(({ name }) => name))
  return (vendor?.models ?? []).filter((name) => !retired.has(name))
}
