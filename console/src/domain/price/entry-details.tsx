import { Badge, Stack, Text, Title } from '@mantine/core'
import { minuteMs, type PriceEntry, type PriceMode } from '@tollgate/contract'
import { scheduleAt } from '@tollgate/contract/price-formula'
import type { ReactNode } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { listedClasses, pricedClasses } from '../../lib/text/price-entry/billing'
import { hoursOf } from '../../lib/text/price-entry/schedule'
import { tierBounds, variantOf } from '../../lib/text/price-entry/variant'
import { useNow } from '../../lib/text/use-now'
import { PriceMatrix } from './price-matrix'
import classes from './price.module.css'
import { usePriceText } from './use-price-text'

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
