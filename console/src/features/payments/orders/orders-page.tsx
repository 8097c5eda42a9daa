import { Button } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { documentRoutes, paymentRoutes } from '@tollgate/contract'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'

import { DataTable } from '../../../components/data-table/data-table'
import { sourceOf } from '../../../components/data-table/paging'
import { useList } from '../../../components/data-table/use-list'
import { ExportButton } from '../../../components/export-button'
import { ListWithPanel } from '../../../components/peek/list-with-panel'
import { PageHeader } from '../../../components/page/page-header'
import { usePeek } from '../../../components/peek/use-peek'
import { useTranslation } from '../../../lib/text/i18n'
import { useViewer } from '../../../lib/api/session'
import { useSearchChange } from '../../../lib/url/use-search-change'
import { OrderFilters } from './order-filters'
import { OrderMenu } from './order-actions'
import type { OrderSearch } from './order-search'
import { useOrders, type Order, filterOf, noFilters } from './order-data'
import { useOrderColumns } from './order-columns'

const OrderPanel = lazy(async () => ({ default: (await import('./order-panel')).OrderPanel }))
const RefundDialog = lazy(async () => ({ default: (await import('./refund-dialog')).RefundDialog }))

const route = getRouteApi('/admin/orders')
const rowKey = ({ trade_no: number }: Order) => number

/** Online payments, their outcome, and how to fix problems. */
export function OrdersPage() {
  const { t } = useTranslation('orders', 'document')
  const search = route.useSearch()
  const setSearch = useSearchChange<OrderSearch>(route.useNavigate())
  const list = useList(search, setSearch, { sorts: paymentRoutes.orderSorts, noFilters })
  const openNumber = search.open
  const filter = filterOf(search, Date.now() / 1000)
  const { page, size, sort, descending } = list.part
  const orders = useOrders({ p: page, page_size: size, ...filter, sort, descending })
  const open = useCallback((number: string | undefined) => setSearch({ open: number }), [setSearch])
  const rows = useMemo(() => orders.data?.items.map(({ trade_no: id }) => ({ id })), [orders.data])
  const peek = usePeek<string>(openNumber, rows, open)
  const [refunding, setRefunding] = useState<Order>()
  const { may } = useViewer()
  return (
    <>
      <PageHeader title={t('title')}>
        <ExportButton route={paymentRoutes.exportOrders} sent={{ query: filter }} name="orders.csv" />
        <ExportButton
          route={documentRoutes.exportDocuments}
          sent={{ query: { start_timestamp: filter.start_timestamp, end_timestamp: filter.end_timestamp } }}
          name="documents.csv"
          label={t('document:list.export')}
        />
      </PageHeader>
      <ListWithPanel
        panel={openNumber !== undefined && <OrderPanel number={openNumber} onRefund={setRefunding} {...peek.panel} />}
      >
        <DataTable
          id="orders"
          label={t('title')}
          columns={useOrderColumns()}
          rowKey={rowKey}
          source={sourceOf(orders)}
          {...list.tableOf(orders.data?.total)}
          openKey={peek.table.openKey}
          onOpen={({ trade_no: id }) => peek.table.onOpen({ id })}
          isBad={(order) => order.problem !== ''}
          isMuted={({ status: state }) => state === 'expired' || state === 'failed'}
          rowActions={(order) => (
            <OrderMenu order={order} onOpen={() => open(order.trade_no)} onRefund={() => setRefunding(order)} />
          )}
          empty={{
            title: t('empty.title'),
            hint: t('empty.hint'),
            action: may('settings.secure') ? (
              <Button
                variant="default"
                renderRoot={(props) => <Link to="/admin/settings" search={{ page: 'payment' }} {...props} />}
              >
                {t('empty.setUp')}
              </Button>
            ) : null,
          }}
          toolbar={<OrderFilters search={search} onChange={list.filter} />}
        />
      </ListWithPanel>
      {refunding && (
        <Suspense>
          <RefundDialog order={refunding} onClose={() => setRefunding(undefined)} />
        </Suspense>
      )}
    </>
  )
}
