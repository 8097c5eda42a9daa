import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'

import { ChoiceSelect } from '../../../../components/fields/choice-select'
import { useTranslation } from '../../../../lib/text/i18n'
import type { PriceDraft } from './price-parts'
import { numberOf } from './price-conversion'
import { applyText, withKind } from './price-draft'

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
    if (!found) onChange(fillRow(drafts, selected, filling))
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

/** What is set for many models at once. */
const fills = ['ratio', 'completion', 'both', 'fixed'] as const
type Fill = (typeof fills)[number]

/** Why the values cannot be applied: the texts under `prices.batchFault`. */
type FillFault = 'nothingSelected' | 'empty' | 'emptyBoth' | 'number'

interface Filling {
  readonly fill: Fill
  readonly value: string
  /** The completion ratio, where both are set. */
  readonly second: string
}

function fillFault({ fill, value, second }: Filling, selected: ReadonlySet<string>): FillFault | undefined {
  if (selected.size === 0) return 'nothingSelected'
  const values = fill === 'both' ? [value, second] : [value]
  if (values.some((text) => text.trim() === '')) return fill === 'both' ? 'emptyBoth' : 'empty'
  return values.some((text) => numberOf(text) === undefined) ? 'number' : undefined
}

/** Returns the drafts with the values applied to the selected ones. Ratios make a price by tokens. */
const fillRow = (
  drafts: readonly PriceDraft[],
  selected: ReadonlySet<string>,
  { fill, value, second }: Filling,
): readonly PriceDraft[] =>
  drafts.map((draft) => {
    if (!selected.has(draft.model)) return draft
    if (fill === 'fixed') return applyText(withKind(draft, 'per-call'), 'fixed', value.trim())
    const byToken = withKind(draft, 'per-token')
    if (fill !== 'both') return applyText(byToken, fill, value.trim())
    return applyText(applyText(byToken, 'ratio', value.trim()), 'completion', second.trim())
  })
