import { Group, NumberInput, Text } from '@mantine/core'

import { useTranslation } from '../../lib/i18n'
import { useTyped } from '../../lib/use-typed'
import type { CallTokens } from './cost'
import classes from './pricing.module.css'
import type { PricingSearch } from './pricing-search'

interface CalculatorProps {
  readonly tokens: CallTokens
  readonly group: string
  readonly onChange: (change: Pick<PricingSearch, 'in' | 'out' | 'cached'>) => void
}

const fields = [
  ['in', 'input'],
  ['cached', 'cached'],
  ['out', 'output'],
] as const

/** The tokens of a call; the list shows what it costs with each model. */
export function Calculator({ tokens, group, onChange }: CalculatorProps) {
  const { t } = useTranslation('pricing')
  return (
    <section className={classes.calculator} aria-label={t('calculator.title')}>
      <Group gap="sm" align="flex-end">
        {fields.map(([name, field]) => (
          <TokenCount
            key={name}
            label={t(`calculator.${field}`)}
            tokens={tokens[field]}
            isTooMany={field === 'cached' && tokens.cached > tokens.input}
            onChange={(count) => onChange({ [name]: count })}
          />
        ))}
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

const mostTokens = 1_000_000_000

/** A number of tokens. An emptied field counts as none and stays empty. */
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
      max={mostTokens}
      step={100}
      value={typed}
      error={isTooMany}
      onChange={setTyped}
    />
  )
}
