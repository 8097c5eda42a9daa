import { Button, Text, Title } from '@mantine/core'
import { IconFileInvoice } from '@tabler/icons-react'
import { documentRoutes, paymentRoutes } from '@tollgate/contract'

import { DocumentLinks } from '../../../domain/billing/document-links'
import { useTranslation } from '../../../lib/text/i18n'
import { useWrite } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import type { Order } from './order-data'

interface OrderDocumentsProps {
  readonly order: Order
  readonly documents: readonly documentRoutes.DocumentEntry[]
}

/** The invoice of a paid order and its credit notes; an operator may issue it for the customer. */
export function OrderDocuments({ order, documents }: OrderDocumentsProps) {
  const { t } = useTranslation('document')
  const mayIssue = useViewer().may('orders.write') && documents.length === 0
  const issue = useWrite(documentRoutes.issueInvoice, { changes: [paymentRoutes.getOrder] })
  return (
    <section aria-label={t('list.title')}>
      <Title order={3} fz="md" mb="xs">
        {t('list.title')}
      </Title>
      {documents.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('list.none')}
        </Text>
      ) : (
        <DocumentLinks documents={documents} />
      )}
      {mayIssue && (
        <Button
          mt="xs"
          variant="default"
          size="compact-sm"
          leftSection={<IconFileInvoice size={15} />}
          loading={issue.isPending}
          onClick={() => issue.mutate({ body: { trade_no: order.trade_no } })}
        >
          {t('list.issue')}
        </Button>
      )}
    </section>
  )
}
