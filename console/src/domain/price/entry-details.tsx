import { Badge, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { type ClassPrices, minuteMs, type PriceClass, type PriceEntry, type PriceMode } from '@tollgate/contract'
import { scheduleAt } from '@tollgate/contract/price-formula'

import { useTranslation } from '../../lib/text/i18n'
import { hoursOf, listedClasses, pricedClasses } from '../../lib/text/price-entry/billing'
import { listedPrice, tierBounds, variantOf } from '../../lib/text/price-entry/variant'
import { useNow } from '../../lib/text/use-now'
import classes from './price.module.css'
import { usePriceText } from './use-price-text'
import { exactPriceText, tokensText } from '../../lib/text/prices'

interface EntryDetailsProps {
  readonly entry: PriceEntry
  /** Multiplier of the group for every price. */
  readonly factor?: number
  /** What the prices are for. */
  readonly label: string
}

/** A complete price entry: prices by input length, modes and hours. */
export function EntryDetails({ entry, factor = 1, label }: EntryDetailsProps) {
  const { t } = useTranslation('price-entry')
  const { modes = [], schedules = [] } = entry
  const base = { ...entry, modes: undefined }
  return (
    <Stack gap="lg">
      <div>
        <PriceMatrix
          label={label}
          classes={listedClasses(base)}
          bounds={tierBounds(entry)}
          pricesFor={(inputTokens) => variantOf(base, { inputTokens }).prices}
          factor={factor}
        />
        <Text size="xs" c="dimmed" mt={6}>
          {[t('per1M'), entry.tiers?.length && t('tierHint')].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {modes.length > 0 && (
        <Part title={t('modes')} hint={t('modesHint')}>
          {modes.map((mode) => (
            <ModeDetails key={mode.name} entry={entry} mode={mode} factor={factor} label={label} />
          ))}
        </Part>
      )}
      {schedules.length > 0 && (
        <Part title={t('schedules')} hint={t('schedulesHint')}>
          <HoursDetails schedules={schedules} />
        </Part>
      )}
    </Stack>
  )
}

interface ModeDetailsProps {
  readonly entry: PriceEntry
  readonly mode: PriceMode
  /** What the prices are for. */
  readonly label: string
  readonly factor: number
}

function ModeDetails({ entry, mode, factor, label }: ModeDetailsProps) {
  const words = usePriceText()
  const { factor: own = 1, prices, tiers } = mode
  const hasPrices = prices !== undefined || tiers !== undefined
  const [name, when] = [words.modeName(mode), words.when(mode)]
  return (
    <div className={classes.mode}>
      <div className={classes.modeHead}>
        <span className={classes.modeName}>{name}</span>
        {when.toLowerCase() !== name.toLowerCase() && <span className={classes.when}>{when}</span>}
        <span className={classes.effect}>{own !== 1 ? words.factor(own) : hasPrices ? '' : words.factor(1)}</span>
      </div>
      {hasPrices && (
        <PriceMatrix
          label={`${label}: ${name}`}
          classes={pricedClasses({ prices: prices ?? {}, tiers })}
          bounds={tierBounds({ prices: {} }, mode)}
          pricesFor={(inputTokens) => variantOf(entry, { inputTokens, mode: mode.name }).prices}
          factor={factor * own}
        />
      )}
    </div>
  )
}

function HoursDetails({ schedules }: { readonly schedules: NonNullable<PriceEntry['schedules']> }) {
  const { t } = useTranslation('price-entry')
  const words = usePriceText()
  const inForce = scheduleAt(schedules, useNow(minuteMs))
  return hoursOf(schedules).map((hours) => (
    <div key={`${hours.name} ${hours.zone} ${hours.factor}`} className={classes.mode}>
      <div className={classes.modeHead}>
        <span className={classes.modeName}>{words.scheduleName(hours)}</span>
        {inForce && hours.spans.includes(inForce) && <Badge color="green">{t('inForce')}</Badge>}
        <span className={classes.when}>{hours.zone}</span>
        <span className={classes.effect}>{words.factor(hours.factor)}</span>
      </div>
      {words.hours(hours).map((line) => (
        <div key={line} className={classes.hours}>
          {line}
        </div>
      ))}
    </div>
  ))
}

interface PartProps {
  readonly title: string
  readonly hint: string
  readonly children: ReactNode
}

const Part = ({ title, hint, children }: PartProps) => (
  <section>
    <Title order={3} fz="md">
      {title}
    </Title>
    <Text size="xs" c="dimmed" mb={6}>
      {hint}
    </Text>
    {children}
  </section>
)

interface PriceMatrixProps {
  readonly label: string
  readonly classes: readonly PriceClass[]
  /** Input lengths above which other prices apply, ascending. */
  readonly bounds: readonly number[]
  /** Returns the prices of a call with this many input tokens. */
  readonly pricesFor: (inputTokens: number) => ClassPrices
  /** Multiplier for every price. */
  readonly factor: number
}

/** Prices of classes, a column for each range of input lengths. */
function PriceMatrix({ label, classes: names, bounds, pricesFor, factor }: PriceMatrixProps) {
  const { t } = useTranslation('price-entry')
  const { className, per } = usePriceText()
  const columns = [0, ...bounds].map((above, index) => ({
    above,
    title: titleOf(index, bounds),
    prices: pricesFor(above + 1),
  }))
  function titleOf(index: number, bounds: readonly number[]): string {
    const bound = bounds[index - 1] ?? bounds[0]
    if (bound === undefined) return t('allLengths')
    return t(index === 0 ? 'upTo' : 'above', { tokens: tokensText(bound) })
  }
  return (
    <div className={classes.scroller} role="region" aria-label={label} tabIndex={0}>
      <table className={classes.matrix}>
        <thead>
          <tr>
            <td />
            {columns.map(({ above, title }) => (
              <th key={above} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">
                {className(name)}
                {per(name) && <span className={classes.unit}>{per(name)}</span>}
              </th>
              {columns.map(({ above, prices }) => (
                <td key={above}>{textOf(listedPrice(prices, name), factor)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const textOf = (price: number | undefined, factor: number) =>
  price === undefined ? '–' : exactPriceText(price * factor)
