import { Badge, Group, Text } from '@mantine/core'
import { logType, readLogDetails } from '@tollgate/contract'

import { Tip } from '../../../components/tip'
import { formatDecimal } from '../../../lib/format'
import { useTranslation } from '../../../lib/i18n'
import { useSite } from '../../../lib/status'
import { useFormat } from '../../../lib/use-format'
import { costFormula, type CostFormula } from './cost-formula'
import type { LogRow } from '../log-row'
import classes from '../logs.module.css'
import { PanelSection } from './panel-section'
import { writtenFormula } from './written-formula'

/** The cost of the call as the formula with its numbers. */
export function CostBreakdown({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation('logs')
  const { quota_per_unit: perUnit } = useSite()
  const { number, quotaInDollars } = useFormat()
  const formula = costFormula(row, perUnit)
  if (row.type !== logType.consumption || !formula) return null
  const { estimated, usage_estimated: part, usage_capped: capped, price_assumed: isAssumed } = readLogDetails(row.other)
  return (
    <PanelSection title={t('cost.title')}>
      <div className={classes.formula}>
        {formula.kind === 'per-token' ? <TokenLines formula={formula} /> : <CallLines formula={formula} />}
        {formula.tools.map(({ kind, calls, price }) => (
          <Line key={kind} name={t(`cost.${kind}`)} amount={`${number(calls)} × $${formatDecimal(price)} / 1000`} />
        ))}
        <Line name={t('cost.groupRatio')} amount={`× ${formatDecimal(formula.groupRatio)}`} />
        {formula.tierRatio !== 1 && (
          <Line name={t('cost.tierRatio')} amount={`× ${formatDecimal(formula.tierRatio)}`} />
        )}
        <Line name={t('cost.total')} amount={`${number(row.quota)} = ${quotaInDollars(row.quota)}`} isTotal />
        <p className={classes.written}>
          {`${writtenFormula(formula, perUnit, number)} = ${number(formula.quota)}`}
          {formula.isLeast && ` (${t('cost.least')})`}
        </p>
      </div>
      <Group gap={6} mt={6}>
        {estimated && (
          <Tip label={t(`cost.estimatedPart.${part ?? 'all'}`)}>
            <Badge color="yellow">{t('cost.estimated')}</Badge>
          </Tip>
        )}
        {capped && (
          <Tip label={t('cost.cappedHint', { reported: number(Math.max(...Object.values(capped))) })}>
            <Badge color="red">{t('cost.capped')}</Badge>
          </Tip>
        )}
        {isAssumed && (
          <Tip label={t('cost.assumedHint')}>
            <Badge color="yellow">{t('cost.assumed')}</Badge>
          </Tip>
        )}
      </Group>
      {formula.quota !== row.quota && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('cost.differs', { quota: number(formula.quota) })}
        </Text>
      )}
    </PanelSection>
  )
}

function TokenLines({ formula }: { readonly formula: Extract<CostFormula, { readonly kind: 'per-token' }> }) {
  const { t } = useTranslation('logs')
  const { number } = useFormat()
  return (
    <>
      {formula.terms.map(({ kind, tokens, ratios }) => (
        <Line
          key={kind}
          name={t(`cost.${kind}`)}
          amount={[number(tokens), ...ratios.map((ratio) => formatDecimal(ratio))].join(' × ')}
        />
      ))}
      <Line name={t('cost.modelRatio')} amount={`× ${formatDecimal(formula.modelRatio)}`} />
    </>
  )
}

function CallLines({ formula }: { readonly formula: Extract<CostFormula, { readonly kind: 'per-call' }> }) {
  const { t } = useTranslation('logs')
  const { quota_per_unit: perUnit } = useSite()
  const { number } = useFormat()
  const images = formula.images > 1 ? `${number(formula.images)} × ` : ''
  return <Line name={t('cost.price')} amount={`${images}$${formatDecimal(formula.price)} × ${number(perUnit)}`} />
}

interface LineProps {
  readonly name: string
  readonly amount: string
  readonly isTotal?: boolean
}

function Line({ name, amount, isTotal }: LineProps) {
  return (
    <div className={classes.formulaLine} data-is-total={isTotal || undefined}>
      <span>{name}</span>
      <span className="figures">{amount}</span>
    </div>
  )
}
