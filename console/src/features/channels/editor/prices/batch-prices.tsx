import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'

import { ChoiceSelect } from '../../../../components/fields/choice-select'
import { useTranslation } from '../../../../lib/text/i18n'
import { filled, fillFault, fills, type Fill, type FillFault } from './batch-fill'
import type { PriceDraft } from './price-fields'

interface BatchPricesProps {
  readonly drafts: readonly PriceDraft[]
  readonly selected: ReadonlySet<string>
  readonly onChange: (drafts: readonly PriceDraft[]) => void
}

/** Sets the same prices for all selected models. */
export function BatchPrices({ drafts, selected, onChange }: BatchPricesProps) {
  const { t } = useTranslation('channel-editor')
  const [fill, setFill] = useState<Fill>('both')
  const [value, setValue] = useState('')
  const [second, setSecond] = useState('')
  const [fault, setFault] = useState<FillFault | undefined>()
  const apply = () => {
    const filling = { fill, value, second }
    const found = fillFault(filling, selected)
    setFault(found)
    if (!found) onChange(filled(drafts, selected, filling))
  }
  return (
    <div>
      <Group gap={6}>
        <Text size="sm" c="dimmed" className="figures">
          {t('prices.batch', { count: selected.size })}
        </Text>
        <ChoiceSelect
          size="xs"
          aria-label={t('prices.batchKind')}
          value={fill}
          choices={fills.map((one) => ({ value: one, label: t(`prices.fill.${one}`) }))}
          onChange={setFill}
        />
        <TextInput
          size="xs"
          w={110}
          aria-label={t(fill === 'both' ? 'prices.ratio' : `prices.fill.${fill}`)}
          placeholder={t(fill === 'both' ? 'prices.ratio' : `prices.fill.${fill}`)}
          inputMode="decimal"
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        {fill === 'both' && (
          <TextInput
            size="xs"
            w={110}
            aria-label={t('prices.completion')}
            placeholder={t('prices.completion')}
            inputMode="decimal"
            value={second}
            onChange={(event) => setSecond(event.currentTarget.value)}
          />
        )}
        <Button variant="default" onClick={apply}>
          {t('prices.batchApply')}
        </Button>
      </Group>
      {fault && (
        <Text size="xs" c="red" mt={4} role="alert">
          {t(`prices.batchFault.${fault}`)}
        </Text>
      )}
    </div>
  )
}
