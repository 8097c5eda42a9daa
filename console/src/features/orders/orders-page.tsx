import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'

import { DataTable } from '../../components/data-table/data-table'
import { sourceOf } from '../../components/data-table/source-of'
import { usePage } from '../../components/data-table/use-page'
import { ListWithPanel } from '../../components/list-with-panel'
import { PageHeader } from '../../components/page-header'
import { usePeek } from '../../components/use-peek'
import { useTranslation } from '../../lib/i18n'
import { useSearchChange } from '../../lib/use-search-change'
import { OrderFilters } from './order-filters'
import { OrderMenu } from './order-menu'
import type { OrderSearch } from './order-search'
import { useOrderColumns } from './use-order-columns'
import { useOrders, type Order } from './use-orders'

const OrderPanel = lazy(async () => ({ default: (await import('./order-panel')).OrderPanel }))
const RefundDialog = lazy(async () => ({ default: (await import('./refund-dialog')).RefundDialog }))

const route = getRouteApi('/admin/orders')
const rowKey = ({ trade_no: number }: Order) => number
const noFilters = { keyword: undefined, status: undefined, provider: undefined, problem: undefined, page: undefined }

/** What users paid online, what became of it, and what is done where that went wrong. */
export function OrdersPage() {
  const { t } = useTranslation('orders')
  const search = route.useSearch()
  const setSearch = useSearchChange<OrderSearch>(route.useNavigate())
  const paging = usePage(search, setSearch)
  const { keyword, status, provider, problem, open: openNumber } = search
  const list = useOrders({ keyword, status, provider, problem, page: paging.page, size: paging.size })
  const open = useCallback((number: string | undefined) => setSearch({ open: number }), [setSearch])
  const rows = useMemo(() => list.data?.items.map(({ trade_no: id }) => ({ id })), [list.data])
  const peek = usePeek<string>(openNumber, rows, open)
  const [refunding, setRefunding] = useState<Order>()
  const isFiltered = [keyword, status, provider, problem].some((filter) => filter !== undefined)
  return (
    <>
      <PageHeader title={t('title')} />
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
