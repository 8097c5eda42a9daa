import { useTranslation } from 'react-i18next'

import { Money } from '../../components/money'
import { formatCompact } from '../../lib/format'
import { useFormat } from '../../lib/use-format'
import type { LogSearch } from './log-search'
import classes from './logs.module.css'
import { useLogStat } from './use-logs'

/** What the calls within the filters cost, and how many there are now. */
export function StatLine({ search }: { readonly search: LogSearch }) {
  const { t } = useTranslation('logs')
  const { number } = useFormat()
  const { data } = useLogStat(search)
  return (
    <dl className={classes.stats} aria-busy={!data}>
      <div>
        <dt>{t('stat.quota')}</dt>
        <dd>{data ? <Money quota={data.quota} /> : '–'}</dd>
      </div>
      <div>
        <dt>{t('stat.tokens')}</dt>
        <dd>{data ? formatCompact(data.token_total) : '–'}</dd>
      </div>
      <div>
        <dt>{t('stat.rpm')}</dt>
        <dd>{data ? number(data.rpm) : '–'}</dd>
      </div>
      <div>
        <dt>{t('stat.tpm')}</dt>
        <dd>{data ? formatCompact(data.tpm) : '–'}</dd>
      </div>
    </dl>
  )
}
