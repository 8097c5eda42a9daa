import type { walletRoutes } from '@tollgate/contract'

import { Party } from '../../../domain/billing/party'
import { useTranslation } from '../../../lib/text/i18n'
import classes from './wallet.module.css'

/** Names the site and the customer on the printed statement. */
export function PrintHead({ statement: { seller, customer } }: { readonly statement: walletRoutes.Statement }) {
  const { t } = useTranslation('document')
  return (
    <div className={classes.printHead}>
      <Party title={t('seller')} party={seller} />
      <Party title={t('customer')} party={customer} />
    </div>
  )
}
