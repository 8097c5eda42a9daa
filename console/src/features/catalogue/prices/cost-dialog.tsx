import { Button, Group, Modal, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { priceRoutes, type ClassPrices } from '@tollgate/contract'
import { useState } from 'react'

import { DollarInput } from '../../../components/fields/dollar-input'
import { FocusBack } from '../../../components/focus-back'
import { FormFailure } from '../../../components/dialogs/form-failure'
import { usePriceText } from '../../../domain/price/use-price-text'
import { PageLoading } from '../../../components/page/page-loading'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useRead, useWrite } from '../../../lib/api/query'
import { FactorInput } from './fields/factor-input'
import { priceReads } from './price-data'

interface CostDialogProps {
  readonly model: string
  readonly cost: priceRoutes.ChannelCost
  readonly onClose: () => void
}

type PriceMode = priceRoutes.ChannelCost['kind']
const modes = ['list', 'factor', 'own'] as const
const costClasses = ['input', 'output', 'cache_read', 'cache_write_5m', 'per_call', 'per_image'] as const

/** Sets a channel's cost: the list price, a multiple of it for all its models, or prices for this one. */
export function CostDialog({ model, cost, onClose }: CostDialogProps) {
  const { t } = useTranslation('prices')
  const storedCost = useRead(
    priceRoutes.listCosts,
    { query: { channel_id: cost.channel_id, page_size: 100 } },
    { staleTime: 0 },
  )
  const known = storedCost.data?.items
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('costs.editTitle', { channel: cost.channel_name })}
      size={520}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      {storedCost.error && <FormFailure error={storedCost.error} />}
      {!known && !storedCost.error && <PageLoading />}
      {known && storedCost.isFetchedAfterMount && (
        <CostForm
          model={model}
          cost={cost}
          factor={known.find((row) => row.model === '')?.factor ?? 1}
          prices={known.find((row) => row.model === model)?.entry?.prices ?? {}}
          onClose={onClose}
        />
      )}
    </Modal>
  )
}

interface CostFormProps extends CostDialogProps {
  readonly factor: number
  readonly prices: ClassPrices
}

function CostForm({ model, cost, onClose, ...storedCost }: CostFormProps) {
  const { t } = useTranslation('prices')
  const { fieldName } = usePriceText()
  const [mode, setMode] = useState<PriceMode>(cost.kind)
  const [factor, setFactor] = useState<number | string>(storedCost.factor)
  const [prices, setPrices] = useState<ClassPrices>(storedCost.prices)
  const put = useWrite(priceRoutes.putCosts, {
    changes: [...priceReads, priceRoutes.listCosts],
    onError: () => {},
    onSuccess: () => {
      notifySuccess(t('done.cost'))
      onClose()
    },
  })
  const ofModel = { channel_id: cost.channel_id, model }
  const ofChannel = { channel_id: cost.channel_id, model: '' as const }
  const bodies = {
    own: { items: [{ ...ofModel, entry: { prices } }] },
    factor: { items: [{ ...ofChannel, factor: Number(factor) }], remove: [ofModel] },
    list: { items: [], remove: [ofModel, ofChannel] },
  }
  const isComplete = mode === 'own' ? Object.keys(prices).length > 0 : mode === 'list' || factor !== ''
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={t('costs.way')}
        data={modes.map((value) => ({ value, label: t(`costs.ways.${value}`) }))}
        value={mode}
        onChange={(value: PriceMode) => setMode(value)}
      />
      <Text size="sm" c="dimmed">
        {t(`costs.hints.${mode}`, { model })}
      </Text>
      {mode === 'factor' && <FactorInput w={160} value={factor} onChange={setFactor} />}
      {mode === 'own' && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {costClasses.map((name) => (
            <DollarInput
              key={name}
              label={fieldName(name)}
              value={prices[name] ?? ''}
              onChange={(value) => {
                const { [name]: _, ...others } = prices
                setPrices(value === '' ? others : { ...others, [name]: Number(value) })
              }}
            />
          ))}
        </SimpleGrid>
      )}
      <FormFailure error={put.error ?? undefined} />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button disabled={!isComplete} loading={put.isPending} onClick={() => put.mutate({ body: bodies[mode] })}>
          {t('common:save')}
        </Button>
      </Group>
    </Stack>
  )
}
