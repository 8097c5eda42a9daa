import { formatCompact } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import classes from './dashboard.module.css'
import { useRates, type DashboardView } from './use-dashboard'

/** Calls and tokens of the last minute. */
export function LiveRates({ view }: { readonly view: DashboardView }) {
  const { t } = useTranslation('dashboard')
  const { data } = useRates(view)
  // Its line is reserved, so that nothing below moves.
  if (!data) return <span className={classes.waiting} />
  return (
    <span className="figures">
      <span className={classes.pulse} data-is-quiet={data.rpm === 0 || undefined} aria-hidden />
      {data.rpm === 0 ? t('live.quiet') : t('live.rates', { count: data.rpm, tokens: formatCompact(data.tpm) })}
    </span>
  )
}
