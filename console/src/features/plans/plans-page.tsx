import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useState } from 'react'

import { DataTable } from '../../components/data-table/data-table'
import { sourceOf } from '../../components/data-table/paging'
import { useList } from '../../components/data-table/use-list'
import { FilterBar } from '../../components/filter-bar'
import { PageHeader } from '../../components/page/page-header'
import { ListWithPanel } from '../../components/peek/list-with-panel'
import { usePeek } from '../../components/peek/use-peek'
import { useViewer } from '../../lib/api/session'
import { useTranslation } from '../../lib/text/i18n'
import { useSearchChange } from '../../lib/url/use-search-change'
import { PlanMenu } from './plan-actions'
import { planSorts, usePlanColumns } from './plan-columns'
import { usePlans, type PlanSales } from './plan-data'
import { noFilters, type PlanSearch } from './plan-search'

const PlanDrawer = lazy(async () => ({ default: (await import('./plan-drawer')).PlanDrawer }))
const PlanPanel = lazy(async () => ({ default: (await import('./plan-panel')).PlanPanel }))
const GiveDialog = lazy(async () => ({ default: (await import('./give-dialog')).GiveDialog }))

const route = getRouteApi('/admin/plans')
const rowKey = ({ id }: PlanSales) => String(id)

/** Plans, their sales and who runs them. */
export function PlansPage() {
  const { t } = useTranslation('plans', 'plan')
  const search = route.useSearch()
  const setSearch = useSearchChange<PlanSearch>(route.useNavigate())
  const list = useList(search, setSearch, { sorts: planSorts, noFilters })
  const { plans, found } = usePlans(search)
  const mayWrite = useViewer().may('balances.write')
  const { edit, open: openId } = search
  const open = useCallback((id: number | undefined) => setSearch({ open: id }), [setSearch])
  const peek = usePeek(openId, found, open)
  const [giving, setGiving] = useState<PlanSales>()
  const opened = plans.data?.find(({ id }) => id === openId)
  const edited = plans.data?.find(({ id }) => String(id) === edit)
  const add = (variant: 'filled' | 'default') =>
    mayWrite && (
      <Button variant={variant} leftSection={<IconPlus size={14} />} onClick={() => setSearch({ edit: 'new' })}>
        {t('add')}
      </Button>
    )
  return (
    <>
      <PageHeader title={t('title')}>{add('filled')}</PageHeader>
      <ListWithPanel
        panel={
          openId !== undefined && (
            <PlanPanel
              plan={opened}
              isMissing={plans.data !== undefined && !opened}
              onEdit={() => setSearch({ edit: String(openId) })}
              onGive={() => setGiving(opened)}
              {...peek.panel}
            />
          )
        }
      >
        <DataTable
          id="plans"
          label={t('title')}
          columns={usePlanColumns()}
          rowKey={rowKey}
          source={sourceOf({ ...plans, data: found && { items: found, total: found.length } })}
          {...list.tableOf(found?.length)}
          paging={undefined}
          {...peek.table}
          isMuted={({ is_on_sale: isOnSale, active }) => !isOnSale && active === 0}
          rowActions={(plan) => (
            <PlanMenu
              plan={plan}
              onOpen={() => open(plan.id)}
              onEdit={() => setSearch({ edit: String(plan.id) })}
              onGive={() => setGiving(plan)}
            />
          )}
          empty={{ title: t('empty.title'), hint: t('empty.hint'), action: add('default') }}
          toolbar={<PlanFilters search={search} onChange={list.filter} />}
        />
      </ListWithPanel>
      <Suspense>
        {mayWrite && edit !== undefined && (edit === 'new' || edited) && (
          <PlanDrawer key={edit} plan={edited} onClose={() => setSearch({ edit: undefined })} />
        )}
        {giving && <GiveDialog plan={giving} onClose={() => setGiving(undefined)} />}
      </Suspense>
    </>
  )
}

interface PlanFiltersProps {
  readonly search: PlanSearch
  readonly onChange: (change: Partial<PlanSearch>) => void
}

const sales = ['on', 'off'] as const

/** A search field for names, then whether they are on sale. */
function PlanFilters({ search: { keyword, sale }, onChange }: PlanFiltersProps) {
  const { t } = useTranslation('plans')
  return (
    <FilterBar
      filters={[
        { kind: 'text', name: 'keyword', label: t('filter.keyword'), width: 220, isSearch: true },
        {
          kind: 'few',
          name: 'sale',
          label: t('filter.sale'),
          choices: sales.map((value) => ({ value, label: t(`sale.${value}`) })),
        },
      ]}
      values={{ keyword, sale }}
      onChange={(change) => {
        const { sale: chosen, ...others } = change
        onChange({ ...others, ...('sale' in change && { sale: sales.find((value) => value === chosen) }) })
      }}
    />
  )
}
