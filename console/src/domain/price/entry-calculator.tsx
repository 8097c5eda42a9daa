import { NumberInput, Stack, Title } from '@mantine/core'
import { minuteMs, type PriceClass, type PriceEntry } from '@tollgate/contract'
import { useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { listedClasses, unitOf } from '../../lib/text/price-entry/billing'
import { costOf, usualAmounts, type Amounts } from '../../lib/text/price-entry/cost'
import { exactPriceText, tokensText } from '../../lib/text/prices'
import { useFormat } from '../../lib/text/use-format'
import { useNow } from '../../lib/text/use-now'
import { ChoiceSelect } from '../../components/fields/choice-select'
import classes from './price.module.css'
import { usePriceText } from './use-price-text'

interface EntryCalculatorProps {
  readonly entry: PriceEntry
  /** Multiplier of the group for every price. */
  readonly factor?: number
}

const maxOfClass = 1_000_000_000

/** The cost of a call by a price entry, class by class, as its amounts are typed. */
export function EntryCalculator({ entry, factor = 1 }: EntryCalculatorProps) {
  const { t } = useTranslation('price-entry')
  const words = usePriceText()
  const { dollars } = useFormat()
  const [typed, setTyped] = useState<Amounts>({})
  const [mode, setMode] = useState('')
  const now = useNow(minuteMs)
  const { modes = [] } = entry
  const isByCall = entry.prices.per_call !== undefined
  const names = listedClasses(entry).filter((name) => isCounted(name, isByCall))
  const amounts: Amounts = { ...usualAmounts(entry), ...typed }
  // What has no line costs nothing here: the lines add up to the total.
  const counted = Object.fromEntries(names.map((name) => [name, amounts[name] ?? 0]))
  const cost = costOf(entry, counted, { mode, at: now, factor })
  const { tier, schedule } = cost.variant
  const lines = new Map(cost.lines.map((line) => [line.class, line]))
  return (
    <section aria-label={t('calculator.title')}>
      <Title order={3} fz="md" mb={6}>
        {t('calculator.title')}
      </Title>
      <Stack gap="xs">
        {modes.length > 0 && (
          <ChoiceSelect
            size="xs"
            label={t('calculator.mode')}
            choices={[
              { value: '', label: t('calculator.standard') },
              ...modes.map((one) => ({ value: one.name, label: words.modeName(one) })),
            ]}
            value={mode}
            onChange={setMode}
          />
        )}
        <table className={classes.matrix}>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{words.className(name)}</th>
                <td className={classes.amount}>
                  <NumberInput
                    size="xs"
                    aria-label={t('calculator.amount', { name: words.className(name) })}
                    value={amounts[name] ?? 0}
                    thousandSeparator=","
                    allowNegative={false}
                    allowDecimal={name === 'per_second'}
                    max={maxOfClass}
                    hideControls
                    rightSection={<span className={classes.unit}>{t(`calculator.unit.${unitOf(name)}`)}</span>}
                    rightSectionWidth={72}
                    onChange={(value) => setTyped({ ...typed, [name]: Number(value) || 0 })}
                  />
                </td>
                <td className={classes.unit}>{priceOfLine(lines.get(name)?.price)}</td>
                <td>{dollars(lines.get(name)?.dollars ?? 0)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={3}>
                {t('calculator.sum')}
              </th>
              <td>{dollars(cost.dollars)}</td>
            </tr>
            <tr>
              <th scope="row" colSpan={3}>
                {t('calculator.thousand')}
              </th>
              <td>{dollars(cost.dollars * 1000)}</td>
            </tr>
          </tfoot>
        </table>
        {tier && <div className={classes.unit}>{t('calculator.tier', { tokens: tokensText(tier.above) })}</div>}
        {schedule !== undefined && (
          <div className={classes.unit}>
            {t('calculator.now', { schedule: words.scheduleName({ name: schedule }) })}
          </div>
        )}
      </Stack>
    </section>
  )
}

const isTool = (name: PriceClass) => unitOf(name) === 'thousand-calls'
const isCounted = (name: PriceClass, isByCall: boolean) => !isByCall || name === 'per_call' || isTool(name)
const priceOfLine = (price: number | undefined) => (price === undefined ? '' : `× ${exactPriceText(price)}`)
