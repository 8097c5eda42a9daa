import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { redemptionRoutes } from '@tollgate/contract'

import { DataTable } from '../../components/data-table/data-table'
import { sourceOf } from '../../components/data-table/paging'
import type { useList } from '../../components/data-table/use-list'
import { FilterBar } from '../../components/filter-bar'
import type { usePeek } from '../../components/peek/use-peek'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useNow } from '../../lib/text/use-now'
import { BulkActions } from './bulk-actions'
import { CouponActions } from './redemption-code-actions'
import type { CouponSearch } from './redemption-code-search'
import { isRedeemable } from './redemption-code-cells'
import { useCouponColumns } from './redemption-code-columns'
import type { Coupon, useCoupons } from './redemption-code-data'

interface CouponsTableProps {
  readonly search: CouponSearch
  readonly setSearch: (change: Partial<CouponSearch>) => void
  readonly list: ReturnType<typeof useList<CouponSearch, redemptionRoutes.RedemptionSort>>
  readonly coupons: ReturnType<typeof useCoupons>
  readonly peek: ReturnType<typeof usePeek<number>>['table']
}

const rowKey = ({ id }: Coupon) => String(id)
const { redemptionStatus: status } = redemptionRoutes
const refreshMs = 60_000

/** All redemption codes, newest first unless sorted. */
export function CouponsTable({ search, setSearch, list, coupons, peek }: CouponsTableProps) {
  const { t } = useTranslation('coupons')
  const now = useNow(refreshMs) / 1000
  const columns = useCouponColumns(now)
  const mayWrite = useViewer().may('codes.write')
  const { keyword, status: wanted, kind } = search
  return (
    <DataTable
      id="coupons"
      label={t('title')}
      columns={columns}
      rowKey={rowKey}
      source={sourceOf(coupons)}
      {...list.tableOf(coupons.data?.total)}
      {...peek}
      isMuted={(coupon) => !isRedeemable(coupon, now)}
      selection={
        mayWrite
          ? { ...list.selection, actions: (rows, clear) => <BulkActions coupons={rows} onDone={clear} /> }
          : undefined
      }
      rowActions={(coupon) => (
        <CouponActions
          coupon={coupon}
          onEdit={() => setSearch({ edit: String(coupon.id) })}
          onOpen={() => setSearch({ open: coupon.id })}
        />
      )}
      empty={{
        title: t('empty.title'),
        hint: t('empty.hint'),
        action: mayWrite ? (
          <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => setSearch({ edit: 'new' })}>
            {t('add')}
          </Button>
        ) : null,
      }}
      toolbar={
        <FilterBar
          filters={[
            { kind: 'text', name: 'keyword', label: t('filter.keyword'), width: 240, isSearch: true },
            {
              kind: 'few',
              name: 'status',
              label: t('filter.status'),
              choices: [
                { value: String(status.unused), label: t('status.unused') },
                { value: String(status.disabled), label: t('status.disabled') },
                { value: String(status.used), label: t('status.used') },
              ],
            },
            {
              kind: 'few',
              name: 'kind',
              label: t('filter.kind'),
              choices: [
                { value: 'gift', label: t('kind.gift') },
                { value: 'single', label: t('kind.single') },
              ],
            },
          ]}
          values={{ keyword, status: wanted, kind }}
          onChange={(change) =>
            list.filter({
              ...change,
              kind:
                change.kind === 'gift' || change.kind === 'single' ? change.kind : 'kind' in change ? undefined : kind,
            })
          }
        />
      }
    />
  )
}
