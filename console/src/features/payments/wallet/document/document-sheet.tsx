import { Paper, Text, Title } from '@mantine/core'
import type { documentRoutes } from '@tollgate/contract'

import { Party } from '../../../../domain/billing/party'
import { useTranslation } from '../../../../lib/text/i18n'
import { useFormat } from '../../../../lib/text/use-format'
import { MovementTable } from '../movement-table'
import { DocumentFacts } from './document-facts'
import { OrderLines } from './order-lines'
import classes from './document.module.css'

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
