import { getRouteApi } from '@tanstack/react-router'
import { paymentRoutes } from '@tollgate/contract'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'

import { DataTable } from '../../components/data-table/data-table'
import { sourceOf } from '../../components/data-table/source-of'
import { usePage } from '../../components/data-table/use-page'
import { ExportButton } from '../../components/export-button'
import { ListWithPanel } from '../../components/peek/list-with-panel'
import { PageHeader } from '../../components/page/page-header'
import { usePeek } from '../../components/peek/use-peek'
import { useTranslation } from '../../lib/i18n'
import { useSearchChange } from '../../lib/use-search-change'
import { OrderFilters } from './order-filters'
import { OrderMenu } from './order-menu'
import type { OrderSearch } from './order-search'
import { filterOf, noFilters } from './orders-query'
import { useOrderColumns } from './use-order-columns'
import { useOrders, type Order } from './use-orders'

const OrderPanel = lazy(async () => ({ default: (await import('./order-panel')).OrderPanel }))
const RefundDialog = lazy(async () => ({ default: (await import('./refund-dialog')).RefundDialog }))

const route = getRouteApi('/admin/orders')
const rowKey = ({ trade_no: number }: Order) => number

/** Online payments, their outcome, and how to fix problems. */
export function OrdersPage() {
  const { t } = useTranslation('orders')
  const search = route.useSearch()
  const setSearch = useSearchChange<OrderSearch>(route.useNavigate())
  const paging = usePage(search, setSearch)
  const openNumber = search.open
  const filter = filterOf(search, Date.now() / 1000)
  const list = useOrders({ p: paging.page, page_size: paging.size, ...filter })
  const open = useCallback((number: string | undefined) => setSearch({ open: number }), [setSearch])
  const rows = useMemo(() => list.data?.items.map(({ trade_no: id }) => ({ id })), [list.data])
  const peek = usePeek<string>(openNumber, rows, open)
  const [refunding, setRefunding] = useState<Order>()
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <>
      <PageHeader title={t('title')}>
        <ExportButton route={paymentRoutes.exportOrders} sent={{ query: filter }} name="orders.csv" />
      </PageHeader>
      <ListWithPanel
        panel={openNumber !== undefined && <OrderPanel number={openNumber} onRefund={setRefunding} {...peek.panel} />}
      >
        <DataTable
          id="orders"
          label={t('title')}
          columns={useOrderColumns()}
          rowKey={rowKey}
          source={sourceOf(list)}
          paging={{ ...paging, total: list.data?.total ?? 0 }}
          openKey={peek.table.openKey}
          onOpen={({ trade_no: id }) => peek.table.onOpen({ id })}
          isBad={(order) => order.problem !== ''}
          isMuted={({ status: state }) => state === 'expired' || state === 'failed'}
          rowActions={(order) => (
            <OrderMenu order={order} onOpen={() => open(order.trade_no)} onRefund={() => setRefunding(order)} />
          )}
          empty={{ title: t('empty.title'), hint: t('empty.hint'), action: null }}
          onClearFilters={isFiltered ? () => setSearch(noFilters) : undefined}
          toolbar={<OrderFilters search={search} onChange={(change) => setSearch({ ...change, page: undefined })} />}
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
