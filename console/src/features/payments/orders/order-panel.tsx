import { Button, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconFileInvoice, IconReceiptRefund, IconRefresh, IconUserCheck } from '@tabler/icons-react'
import { documentRoutes, paymentRoutes } from '@tollgate/contract'

import { ConfirmButton } from '../../../components/dialogs/confirm-button'
import { CopyField } from '../../../components/copy-button'
import { ErrorState } from '../../../components/page/state-message'
import { Facts } from '../../../components/facts'
import { Money } from '../../../domain/money'
import { useMethodName } from '../../../domain/order'
import { PeekPanel } from '../../../components/peek/peek-panel'
import { useFormat } from '../../../lib/text/use-format'
import { formatTime } from '../../../lib/text/format'
import { findText, useTranslation } from '../../../lib/text/i18n'
import { useRead, useWrite } from '../../../lib/api/query'
import { OrderProblem } from './order-problem'
import { OrderState, useProviderName } from './order-cells'
import { useOrderActions } from './order-actions'
import type { Order } from './order-data'
import { DocumentLinks } from '../../../domain/billing/document-links'
import { useViewer } from '../../../lib/api/session'

interface OrderPanelProps {
  readonly number: string
  readonly onRefund: (order: Order) => void
  readonly onPrevious?: () => void
  readonly onNext?: () => void
  readonly onClose: () => void
}

/** All details of an order and its history. */
export function OrderPanel({ number, onRefund, ...panel }: OrderPanelProps) {
  const { t } = useTranslation('orders')
  const { data, error, isPlaceholderData, refetch } = useRead(paymentRoutes.getOrder, { params: { trade_no: number } })
  const known = isPlaceholderData ? undefined : data
  return (
    <PeekPanel
      title={t('panel.title')}
      footer={known && <OrderFooter order={known.order} onRefund={() => onRefund(known.order)} />}
      {...panel}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} isSmall />}
      {!known && !error && <Skeleton h={320} />}
      {known && (
        <Stack gap="lg">
          <OrderProblem order={known.order} events={known.events} />
          <OrderFacts order={known.order} />
          {known.order.paid_at > 0 && <OrderDocuments order={known.order} documents={known.documents} />}
          <section aria-label={t('panel.events')}>
            <Title order={3} fz="md" mb="xs">
              {t('panel.events')}
            </Title>
            <OrderEvents events={known.events} />
          </section>
        </Stack>
      )}
    </PeekPanel>
  )
}

function OrderFacts({ order }: { readonly order: Order }) {
  const { t } = useTranslation('orders')
  const { paid } = useFormat()
  const methodName = useMethodName()
  const providerName = useProviderName()
  const { trade_no: number, provider_trade_no: theirs, currency, refunded, bonus } = order
  const taken = order.quota_taken + order.bonus_taken
  const timeOf = (at: number) => at > 0 && formatTime(at)
  return (
    <Facts
      facts={[
        [t('column.number'), <CopyField key="number" value={number} label={t('action.copy')} />],
        [t('column.status'), <OrderState key="status" order={order} />],
        [t('column.user'), `${order.username} (${order.user_id})`],
        [t('column.money'), paid(order.money, currency)],
        [t('column.quota'), <Money key="quota" quota={order.quota} />],
        [t('column.plan'), order.plan],
        [t('fact.bonus'), bonus > 0 && <Money key="bonus" quota={bonus} />],
        [t('fact.refunded'), Number(refunded) > 0 && paid(refunded, currency)],
        [t('fact.taken'), taken > 0 && <Money key="taken" quota={taken} />],
        [t('column.method'), methodName(order.method)],
        [t('filter.provider'), providerName(order.provider)],
        [t('fact.theirs'), theirs !== '' && <CopyField key="theirs" value={theirs} label={t('action.copyTheirs')} />],
        [t('column.created'), timeOf(order.created_at)],
        [t('fact.expires'), order.status === 'pending' && timeOf(order.expires_at)],
        [t('fact.paid'), timeOf(order.paid_at)],
        [t('fact.completedBy'), order.completed_by],
      ]}
    />
  )
}

function OrderFooter({ order, onRefund }: { readonly order: Order; readonly onRefund: () => void }) {
  const { t } = useTranslation('orders')
  const acts = useOrderActions(order)
  return (
    <>
      {acts.canCheck && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={15} />}
          loading={acts.isChecking}
          onClick={acts.check}
        >
          {t('order:checkNow')}
        </Button>
      )}
      {acts.canComplete && (
        <ConfirmButton
          {...acts.completing}
          leftSection={<IconUserCheck size={15} />}
          loading={acts.isCompleting}
          onConfirm={acts.complete}
        >
          {t('complete.action')}
        </ConfirmButton>
      )}
      {acts.canRefund && (
        <Button variant="default" leftSection={<IconReceiptRefund size={15} />} onClick={onRefund}>
          {t('refund.action')}
        </Button>
      )}
    </>
  )
}

/** Reports and actions of an order, latest first. The provider's data can be expanded. */
function OrderEvents({ events }: { readonly events: readonly paymentRoutes.OrderEvent[] }) {
  const { t } = useTranslation('orders')
  if (events.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('panel.noEvents')}
      </Text>
    )
  return (
    <Stack gap="md" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {events.map(({ id, created_at: at, kind, source, outcome, payload }) => (
        <li key={id}>
          <Group justify="space-between" gap="sm">
            <Text size="sm" fw={500}>
              {`${eventWord('kind', kind)} · ${eventWord('outcome', outcome)}`}
            </Text>
            <Text size="xs" c="dimmed" className="figures">
              {formatTime(at)}
            </Text>
          </Group>
          <Text size="xs" c="dimmed">
            {eventWord('source', source)}
          </Text>
          {payload !== '' && (
            <details>
              <summary style={{ cursor: 'pointer', fontSize: 'var(--text-xs)' }}>{t('panel.payload')}</summary>
              <Code block mt={4} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                {payload}
              </Code>
            </details>
          )}
        </li>
      ))}
    </Stack>
  )
}

/** An unknown code of a later release is shown as it is. */
const eventWord = (part: 'kind' | 'outcome' | 'source', code: string): string =>
  findText('orders', `event.${part}.${code}`) ?? code

interface OrderDocumentsProps {
  readonly order: Order
  readonly documents: readonly documentRoutes.DocumentEntry[]
}

/** The invoice of a paid order and its credit notes; an operator may issue it for the customer. */
function OrderDocuments({ order, documents }: OrderDocumentsProps) {
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
