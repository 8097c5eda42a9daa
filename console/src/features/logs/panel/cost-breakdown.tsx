import { Badge, Group, Switch, Text } from '@mantine/core'
import { logType, readLogDetails } from '@tollgate/contract'
import { loggedCharge, loggedQuota } from '@tollgate/contract/price-formula'
import * as z from 'zod'

import { PanelSection } from '../../../components/peek/panel-section'
import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import { useSite } from '../../../lib/api/status'
import { StoredValue, useStored } from '../../../lib/browser/stored-value'
import { useFormat } from '../../../lib/text/use-format'
import type { LogRow } from '../log-row'
import classes from '../logs.module.css'
import { costInDollars } from './cost-in-dollars'
import { CostLine, DollarLines, RatioLines } from './cost-lines'
import { ratioFormula } from './ratio-formula'

const storedAsRatios = new StoredValue('log-cost-as-ratios', z.boolean(), false)

/** The cost of the call: its lines in dollars, or the formula of ratios for those who want it. */
export function CostBreakdown({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation('call-cost')
  const { quota_per_unit: perUnit, display_in_currency: isCurrency } = useSite()
  const { number, quotaInDollars } = useFormat()
  const [asRatios, setAsRatios] = useStored(storedAsRatios)
  const details = readLogDetails(row.other)
  const charge = row.type === logType.consumption ? loggedCharge(row, details) : undefined
  if (!charge) return null
  const computed = loggedQuota(charge, perUnit)
  const formula = ratioFormula(charge)
  const hasRatios = asRatios && formula !== undefined
  return (
    <PanelSection
      title={t('title')}
      aside={
        formula && (
          <Switch
            size="xs"
            label={t('asRatios')}
            checked={asRatios}
            onChange={({ currentTarget }) => setAsRatios(currentTarget.checked)}
          />
        )
      }
    >
      <div className={classes.formula}>
        {hasRatios ? (
          <RatioLines formula={formula} />
        ) : (
          <DollarLines
            cost={costInDollars(charge, computed.quota, perUnit)}
            isMinimum={computed.isMinimum}
            group={row.group}
            details={details}
          />
        )}
        <CostLine
          name={t('total')}
          dollars={`${hasRatios || !isCurrency ? `${number(row.quota)} = ` : ''}${quotaInDollars(row.quota)}`}
          isTotal
        />
      </div>
      <Marks details={details} />
      {details.cached_age === undefined && computed.quota !== row.quota && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('differs', {
            amount: hasRatios ? number(computed.quota) : quotaInDollars(computed.quota),
          })}
        </Text>
      )}
    </PanelSection>
  )
}

/** What is particular about the counts and the price. */
function Marks({ details }: { readonly details: ReturnType<typeof readLogDetails> }) {
  const { t } = useTranslation('call-cost')
  const { number, quotaInDollars } = useFormat()
  const { estimated, usage_estimated: part, usage_capped: capped, price_assumed: isAssumed } = details
  const { cached_age: age, cached_quota: price = 0, cached_factor: factor = 0 } = details
  return (
    <Group gap={6} mt={6}>
      {age !== undefined && (
        <Tip label={t('fromCacheHint', { seconds: number(age), price: quotaInDollars(price), factor: number(factor) })}>
          <Badge color="green">{t('fromCache')}</Badge>
        </Tip>
      )}
      {details.own_login_factor !== undefined && (
        <Tip label={t('ownLoginHint')}>
          <Badge color="blue">{t('ownLogin')}</Badge>
        </Tip>
      )}
      {estimated && (
        <Tip label={t(`estimatedPart.${part ?? 'all'}`)}>
          <Badge color="yellow">{t('estimated')}</Badge>
        </Tip>
      )}
      {capped && (
        <Tip label={t('cappedHint', { reported: number(Math.max(...Object.values(capped))) })}>
          <Badge color="red">{t('capped')}</Badge>
        </Tip>
      )}
      {isAssumed && (
        <Tip label={t('assumedHint')}>
          <Badge color="yellow">{t('assumed')}</Badge>
        </Tip>
      )}
    </Group>
  )
}
