import { Button, Group, Skeleton, Paper, Title } from '@mantine/core'
import { IconArrowLeft, IconPrinter } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { documentRoutes } from '@tollgate/contract'

import classes from './document.module.css'
import { ErrorState } from '../../../../components/page/state-message'
import { useTranslation } from '../../../../lib/text/i18n'
import { useRead } from '../../../../lib/api/query'
import { usePageTitle } from '../../../../lib/browser/use-page-title'
import { useLightPrint } from '../use-light-print'
import { DocumentSheet } from './document-sheet'
import { DocumentLinks } from '../../../../domain/billing/document-links'

const route = getRouteApi('/app/wallet_/document/$number')
const sheetHeight = 720

/** An issued document as it is printed. */
export function DocumentPage() {
  const { t } = useTranslation('document')
  const { number } = route.useParams()
  const { data, error, refetch } = useRead(documentRoutes.getDocument, { params: { number } })
  useLightPrint()
  usePageTitle(data ? `${t(`kind.${data.kind}`)} ${data.label}` : t('page'))
  return (
    <div className={classes.page}>
      <Group justify="space-between" gap="sm" className={classes.tools}>
        <Button
          variant="subtle"
          leftSection={<IconArrowLeft size={15} />}
          renderRoot={(props) => <Link to="/app/wallet" {...props} />}
        >
          {t('back')}
        </Button>
        <Button leftSection={<IconPrinter size={15} />} disabled={!data} onClick={() => window.print()}>
          {t('print')}
        </Button>
      </Group>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={sheetHeight} />}
      {data && <DocumentSheet document={data} />}
      {data && data.kind !== 'statement' && <OrderDocuments tradeNo={data.trade_no} shown={data.number} />}
    </div>
  )
}

interface OrderDocumentsProps {
  readonly tradeNo: string
  /** The number of the document that is open. */
  readonly shown: number
}

/** Links to the other documents of the reader's order, once there are any. */
function OrderDocuments({ tradeNo, shown }: OrderDocumentsProps) {
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
