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
import { RedemptionCodeActions } from './redemption-code-actions'
import type { RedemptionCodeSearch } from './redemption-code-search'
import { isRedeemable } from './redemption-code-cells'
import { useRedemptionCodeColumns } from './redemption-code-columns'
import type { RedemptionCode, useRedemptionCodes } from './redemption-code-data'

interface RedemptionCodesTableProps {
  readonly search: RedemptionCodeSearch
  readonly setSearch: (change: Partial<RedemptionCodeSearch>) => void
  readonly list: ReturnType<typeof useList<RedemptionCodeSearch, redemptionRoutes.RedemptionSort>>
  readonly codes: ReturnType<typeof useRedemptionCodes>
  readonly peek: ReturnType<typeof usePeek<number>>['table']
}

const rowKey = ({ id }: RedemptionCode) => String(id)
const { redemptionStatus: status } = redemptionRoutes
const refreshMs = 60_000

/** All redemption codes, newest first unless sorted. */
export function RedemptionCodesTable({ search, setSearch, list, codes, peek }: RedemptionCodesTableProps) {
  const { t } = useTranslation('redemption-codes')
  const now = useNow(refreshMs) / 1000
  const columns = useRedemptionCodeColumns(now)
  const mayWrite = useViewer().may('codes.write')
  const { keyword, status: statusFilter, kind } = search
  return (
    <DataTable
      id="coupons"
      label={t('title')}
      columns={columns}
      rowKey={rowKey}
      source={sourceOf(codes)}
      {...list.tableOf(codes.data?.total)}
      {...peek}
      isMuted={(code) => !isRedeemable(code, now)}
      selection={
        mayWrite
          ? { ...list.selection, actions: (rows, clear) => <BulkActions codes={rows} onDone={clear} /> }
          : undefined
      }
      rowActions={(code) => (
        <RedemptionCodeActions
          code={code}
          onEdit={() => setSearch({ edit: String(code.id) })}
          onOpen={() => setSearch({ open: code.id })}
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
          values={{ keyword, status: statusFilter, kind }}
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
