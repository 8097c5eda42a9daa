import { Group, NumberInput, Text } from '@mantine/core'

import { useTranslation } from '../../../lib/text/i18n'
import { useTyped } from '../../../lib/text/use-typed'
import { usePriceText } from '../../../domain/price/use-price-text'
import { ChoiceSelect } from '../../../components/fields/choice-select'
import classes from './models.module.css'
import type { ModelSearch } from './model-search'
import type { Offers } from './model-data'

interface CalculatorProps {
  readonly offers: Offers
  readonly onChange: (change: Pick<ModelSearch, 'in' | 'out' | 'cached' | 'mode'>) => void
}

const fields = [
  ['in', 'input'],
  ['cached', 'cached'],
  ['out', 'output'],
] as const

/** The size and mode of a call; the list shows its cost with each model. */
export function Calculator({ offers, onChange }: CalculatorProps) {
  const { t } = useTranslation('pricing')
  const { modeName } = usePriceText()
  const { all, call, group } = offers
  const modes = [...new Set(all.flatMap(({ entry }) => (entry.modes ?? []).map(({ name }) => name)))]
  return (
    <section className={classes.calculator} aria-label={t('calculator.title')}>
      <Group gap="sm" align="flex-end">
        {fields.map(([name, field]) => (
          <TokenCount
            key={name}
            label={t(`calculator.${field}`)}
            tokens={call[field]}
            isTooMany={field === 'cached' && call.cached > call.input}
            onChange={(count) => onChange({ [name]: count })}
          />
        ))}
        {modes.length > 0 && (
          <ChoiceSelect
            size="xs"
            w={130}
            label={t('calculator.mode')}
            choices={[
              { value: '', label: t('calculator.standard') },
              ...modes.map((name) => ({ value: name, label: modeName({ name }) })),
            ]}
            value={call.mode ?? ''}
            onChange={(mode) => onChange({ mode: mode || undefined })}
          />
        )}
        <Text size="xs" c="dimmed" className={classes.calculatorHint}>
          {t('calculator.hint', { group })}
        </Text>
      </Group>
    </section>
  )
}

interface TokenCountProps {
  readonly label: string
  readonly tokens: number
  readonly isTooMany: boolean
  readonly onChange: (tokens: number) => void
}

const maxTokens = 1_000_000_000

/** A number of tokens. An empty field counts as 0 and stays empty. */
function TokenCount({ label, tokens, isTooMany, onChange }: TokenCountProps) {
  const [typed, setTyped] = useTyped(tokens, onChange, {
    show: (count): number | string => count,
    read: Number,
  })
  return (
    <NumberInput
      size="xs"
      w={130}
      label={label}
      thousandSeparator=","
      allowNegative={false}
      allowDecimal={false}
      max={maxTokens}
      step={100}
      value={typed}
      error={isTooMany}
      onChange={setTyped}
    />
  )
}
