import { Button, Group, Skeleton } from '@mantine/core'
import { IconArrowLeft, IconPrinter } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { documentRoutes } from '@tollgate/contract'

import { ErrorState } from '../../../../components/page/error-state'
import { useTranslation } from '../../../../lib/text/i18n'
import { useRead } from '../../../../lib/api/query'
import { usePageTitle } from '../../../../lib/browser/use-page-title'
import { useLightPrint } from '../use-light-print'
import { DocumentSheet } from './document-sheet'
import { OrderDocuments } from './order-documents'
import classes from './document.module.css'

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
