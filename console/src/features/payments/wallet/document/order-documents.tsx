import { Paper, Title } from '@mantine/core'
import { documentRoutes } from '@tollgate/contract'

import { DocumentLinks } from '../../../../domain/billing/document-links'
import { useTranslation } from '../../../../lib/text/i18n'
import { useRead } from '../../../../lib/api/query'
import classes from './document.module.css'

interface OrderDocumentsProps {
  readonly tradeNo: string
  /** The number of the document that is open. */
  readonly shown: number
}

/** Links to the other documents of the reader's order, once there are any. */
export function OrderDocuments({ tradeNo, shown }: OrderDocumentsProps) {
  const { t } = useTranslation('document')
  const { data } = useRead(documentRoutes.listOwnDocuments, { query: { trade_no: tradeNo, page_size: 100 } })
  const others = data?.items.filter(({ number }) => number !== shown) ?? []
  if (others.length === 0) return null
  return (
    <Paper component="section" className={classes.others}>
      <Title order={2} fz="md" mb="xs">
        {t('corrections')}
      </Title>
      <DocumentLinks documents={others} />
    </Paper>
  )
}
