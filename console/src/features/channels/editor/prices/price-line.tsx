import { Button, Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { channelPriceRoutes } from '@tollgate/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { useTranslation } from '../../../../lib/text/i18n'
import { useRead } from '../../../../lib/api/query'
import { useSite } from '../../../../lib/api/status'
import type { PriceQuestion } from './prices-dialog'
import { objectOf } from '../channel-form'

const PricesDialog = lazy(async () => ({ default: (await import('./prices-dialog')).PricesDialog }))

const debounceMs = 400

interface PriceLineProps {
  readonly models: readonly string[]
  /** The channel's mapping as typed; invalid JSON counts as none. */
  readonly mapping: string
}

/** Whether all models have a price, and a link to set missing ones. */
export function PriceLine({ models, mapping }: PriceLineProps) {
  const { t } = useTranslation('channel-editor')
  const site = useSite()
  const [isOpen, setOpen] = useState(false)
  const question = priceQuestion(models, mapping)
  const [settledQuestion] = useDebouncedValue(question, debounceMs)
  const prices = useRead(
    channelPriceRoutes.modelPrices,
    { body: settledQuestion },
    { enabled: settledQuestion.models.length > 0 },
  )
  if (models.length === 0) return null
  const present = new Set(models)
  const unpriced = (prices.data ?? []).filter(({ model, kind }) => kind === 'unpriced' && present.has(model)).length
  return (
    <Group gap={8} wrap="nowrap" align="flex-start">
      <Button variant="default" onClick={() => setOpen(true)} style={{ flex: 'none' }}>
        {t('prices.open')}
      </Button>
      {unpriced > 0 ? (
        <Group gap={6} wrap="nowrap" align="flex-start" role="status">
          <IconAlertTriangle size={16} style={{ flex: 'none', marginTop: 3 }} color="var(--warn)" />
          <Text size="sm">
            {t(site.self_use_mode_enabled ? 'prices.assumed' : 'prices.refused', { count: unpriced })}
          </Text>
        </Group>
      ) : (
        prices.data && (
          <Text size="sm" c="dimmed" style={{ alignSelf: 'center' }}>
            {t('prices.complete')}
          </Text>
        )
      )}
      {isOpen && (
        <Suspense>
          <PricesDialog question={question} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Group>
  )
}

/** Returns the query; a mapping that is not a JSON object would be refused. */
const priceQuestion = (models: readonly string[], mapping: string): PriceQuestion => ({
  models: [...models],
  ...(mapping.trim() !== '' && objectOf(mapping) && { model_mapping: mapping }),
})
