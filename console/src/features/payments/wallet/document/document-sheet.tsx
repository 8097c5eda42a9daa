import { Paper, Text, Title } from '@mantine/core'
import type { documentRoutes } from '@tollgate/contract'

import classes from './document.module.css'
import { Party } from '../../../../domain/billing/party'
import { useTranslation } from '../../../../lib/text/i18n'
import { useFormat } from '../../../../lib/text/use-format'
import { MovementTable } from '../movement-table'
import { monthName } from '../months'
import type { Language } from '../../../../lib/text/language'
import { formatDecimal } from '../../../../lib/text/format'

/** A document in the reader's language. Its figures and names are those of the day on which it was issued. */
export function DocumentSheet({ document }: { readonly document: documentRoutes.BillingDocument }) {
  const { t } = useTranslation('document')
  const { kind, seller, customer, note } = document
  return (
    <Paper component="article" className={classes.sheet}>
      <header className={classes.head}>
        <Text fw={600} size="lg">
          {seller.name}
        </Text>
        <Title order={1} className={classes.title}>
          {t(`kind.${kind}`)}
        </Title>
      </header>
      <div className={classes.parties}>
        <Party title={t('seller')} party={seller} />
        <Party title={t('customer')} party={customer} />
        <DocumentFacts document={document} />
      </div>
      {document.kind === 'statement' ? <MonthLines document={document} /> : <OrderLines document={document} />}
      {note !== '' && (
        <Text size="sm" className={classes.note}>
          {note}
        </Text>
      )}
    </Paper>
  )
}

function MonthLines({ document }: { readonly document: documentRoutes.MonthDocument }) {
  const { t } = useTranslation('document')
  const { dollars } = useFormat()
  const { statement, quota_per_unit: unit } = document
  return (
    <>
      <MovementTable statement={statement} amountOf={(quota) => dollars(quota / unit)} />
      <Text size="sm" mt="md">
        {t('usageNote')}
      </Text>
    </>
  )
}

/** Number, dates and references of a document. */
function DocumentFacts({ document }: { readonly document: documentRoutes.BillingDocument }) {
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

/** Returns the day of a time in a time zone: "November 29, 2026". */
const dayIn = (unixSeconds: number, timeZone: string, language: Language): string =>
  new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-US', { dateStyle: 'long', timeZone }).format(
    new Date(unixSeconds * 1000),
  )

const rateDigits = 4

/** What an invoice is for, or what a credit note takes back, with the tax that it includes, if any. */
function OrderLines({ document }: { readonly document: documentRoutes.OrderDocument }) {
  const { t } = useTranslation('document')
  const { paid, dollars } = useFormat()
  const { kind, currency, net, tax, total, tax_rate: rate, quota, quota_per_unit: unit, corrects } = document
  const credit = dollars(Math.abs(quota) / unit)
  return (
    <>
      <table className={classes.lines}>
        <thead>
          <tr>
            <th scope="col">{t('line')}</th>
            <th scope="col">{t('amount')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{t(kind === 'credit_note' ? 'creditTaken' : 'credit', { dollars: credit })}</td>
            <td className="figures">{paid(net, currency)}</td>
          </tr>
        </tbody>
        <tfoot className="figures">
          {rate > 0 && (
            <>
              <tr>
                <th scope="row">{t('net')}</th>
                <td>{paid(net, currency)}</td>
              </tr>
              <tr>
                <th scope="row">{t('tax', { rate: formatDecimal(rate, rateDigits) })}</th>
                <td>{paid(tax, currency)}</td>
              </tr>
            </>
          )}
          <tr className={classes.total}>
            <th scope="row">{t(rate > 0 ? 'total' : 'sum')}</th>
            <td>{paid(total, currency)}</td>
          </tr>
        </tfoot>
      </table>
      {corrects === '' && (
        <Text size="sm" mt="md">
          {t('isPaid')}
        </Text>
      )}
    </>
  )
}
