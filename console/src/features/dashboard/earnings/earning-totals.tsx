import { Alert, Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { earningRoutes } from '@tollgate/contract'

import { StatFact } from '../../../components/stat/stat-card'
import { useFormat } from '../../../lib/text/use-format'
import { useTranslation } from '../../../lib/text/i18n'
import { useViewer } from '../../../lib/api/session'
import facts from '../dashboard.module.css'
import { cacheShare } from '../figures'
import classes from './earnings.module.css'
import { isKnown, marginOf, profitOf, unknownSale } from './earning-figures'

interface EarningTotalsProps {
  readonly data: Pick<earningRoutes.EarningData, 'totals' | 'previous'>
}

/** The figures of the whole range, each with that of the range before. */
export function EarningTotals({ data: { totals, previous } }: EarningTotalsProps) {
  const { t } = useTranslation('earnings')
  const { money, share } = useFormat()
  const before = (value: string | undefined) => (value === undefined ? undefined : t('before', { value }))
  const [profit, profitBefore] = [profitOf(totals), profitOf(previous)]
  const [margin, marginBefore] = [marginOf(totals), marginOf(previous)]
  const [cached, cachedBefore] = [cacheShare(totals), cacheShare(previous)]
  const isPart = isKnown(totals) && totals.unpriced > 0
  return (
    <div className={`${facts.facts} ${classes.totals}`}>
      <StatFact name={t('column.quota')} value={money(totals.quota)} note={before(money(previous.quota))} />
      <StatFact
        name={isPart ? t('costOfPart') : t('column.cost')}
        value={isKnown(totals) ? money(totals.cost) : t('unknown')}
        note={before(isKnown(previous) ? money(previous.cost) : undefined)}
      />
      <StatFact
        name={isPart ? t('profitOfPart') : t('column.profit')}
        value={profit === undefined ? t('unknown') : money(profit)}
        note={before(profitBefore === undefined ? undefined : money(profitBefore))}
      />
      <StatFact
        name={t('column.margin')}
        value={margin === undefined ? null : share(margin)}
        note={before(marginBefore === undefined ? undefined : share(marginBefore))}
      />
      <StatFact
        name={t('cacheRate')}
        value={cached === undefined ? null : share(cached)}
        note={before(cachedBefore === undefined ? undefined : share(cachedBefore))}
      />
      <StatFact name={t('column.saved')} value={money(totals.saved)} note={before(money(previous.saved))} />
    </div>
  )
}

/** Says what is not known, and where costs are set. */
export function UnknownCosts({ totals }: { readonly totals: earningRoutes.EarningSums }) {
  const { t } = useTranslation('earnings')
  const { number, money } = useFormat()
  const { may } = useViewer()
  if (totals.unpriced === 0) return null
  return (
    <Alert color="yellow" variant="light" p="xs">
      {t('unknownHint', {
        count: totals.unpriced,
        calls: number(totals.unpriced),
        sale: money(unknownSale(totals)),
      })}{' '}
      {may('prices.read') && (
        <Anchor inherit renderRoot={(props) => <Link to="/admin/prices" {...props} />}>
          {t('setCosts')}
        </Anchor>
      )}
    </Alert>
  )
}
