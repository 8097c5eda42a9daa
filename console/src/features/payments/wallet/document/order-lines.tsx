import { Text } from '@mantine/core'
import type { documentRoutes } from '@tollgate/contract'

import { formatDecimal } from '../../../../lib/text/format'
import { useTranslation } from '../../../../lib/text/i18n'
import { useFormat } from '../../../../lib/text/use-format'
import classes from './document.module.css'

const rateDigits = 4

/** What an invoice is for, or what a credit note takes back, with the tax that it includes, if any. */
export function OrderLines({ document }: { readonly document: documentRoutes.OrderDocument }) {
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
