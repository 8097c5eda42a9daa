import type { documentRoutes } from '@tollgate/contract'

import { useTranslation } from '../../../../lib/text/i18n'
import { monthName } from '../months'
import { dayIn } from './day-in'
import classes from './document.module.css'

/** Number, dates and references of a document. */
export function DocumentFacts({ document }: { readonly document: documentRoutes.BillingDocument }) {
  const { t, language } = useTranslation('document')
  const day = (seconds: number) => dayIn(seconds, document.time_zone, language)
  const facts: readonly (readonly [string, string])[] = [
    [t('number'), document.label],
    [t('issued'), day(document.issued_at)],
    ...(document.kind === 'statement'
      ? ([[t('month'), monthName(document.statement.month)]] as const)
      : ([
          [t('paid'), day(document.paid_at)],
          [t('order'), document.trade_no],
          [t('currency'), document.currency],
          [t('corrects'), document.corrects],
        ] as const)),
    [t('account'), document.username],
  ]
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
