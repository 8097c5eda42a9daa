import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useState } from 'react'

import { usePage } from '../../components/data-table/use-page'
import { ListWithPanel } from '../../components/peek/list-with-panel'
import { PageHeader } from '../../components/page/page-header'
import { usePeek } from '../../components/peek/use-peek'
import { useTranslation } from '../../lib/i18n'
import { useViewer } from '../../lib/session'
import { useSearchChange } from '../../lib/use-search-change'
import { BulkActions } from './bulk-actions'
import { CleanUpMenu } from './clean-up-menu'
import type { CouponSearch } from './coupon-search'
import { CouponsTable } from './coupons-table'
import { useCoupons } from './use-coupons'

const NewCouponDrawer = lazy(async () => ({ default: (await import('./coupon-drawer')).NewCouponDrawer }))
const EditCouponDrawer = lazy(async () => ({ default: (await import('./coupon-drawer')).EditCouponDrawer }))
const UsesPanel = lazy(async () => ({ default: (await import('./uses-panel')).UsesPanel }))

const route = getRouteApi('/admin/coupons')
const none: ReadonlySet<string> = new Set()

/** Redemption codes: their value, their uses and all actions. */
export function CouponsPage() {
  const { t } = useTranslation('coupons')
  const search = route.useSearch()
  const setSearch = useSearchChange<CouponSearch>(route.useNavigate())
  const paging = usePage(search, setSearch)
  const { keyword, status, kind, edit, open: openId } = search
  const list = useCoupons({ keyword, status, kind, page: paging.page, size: paging.size })
  const open = useCallback((id: number | undefined) => setSearch({ open: id }), [setSearch])
  const peek = usePeek(openId, list.data?.items, open)
  const [selected, setSelected] = useState(none)
  const mayWrite = useViewer().may('codes.write')
  const close = () => setSearch({ edit: undefined })
  const chosen = list.data?.items.filter(({ id }) => selected.has(String(id))) ?? []
  return (
    <>
      <PageHeader title={t('title')}>
        {mayWrite && (
          <>
            <BulkActions coupons={chosen} onDone={() => setSelected(none)} />
            <CleanUpMenu />
            <Button leftSection={<IconPlus size={14} />} onClick={() => setSearch({ edit: 'new' })}>
              {t('add')}
            </Button>
          </>
        )}
      </PageHeader>
      <ListWithPanel
        panel={
          openId !== undefined && (
            <UsesPanel id={openId} coupon={list.data?.items.find(({ id }) => id === openId)} {...peek.panel} />
          )
        }
      >
        <CouponsTable
          search={search}
          setSearch={setSearch}
          list={list}
          paging={paging}
          peek={peek.table}
          selected={selected}
          onSelect={setSelected}
        />
      </ListWithPanel>
      <Suspense>
        {edit === 'new' && <NewCouponDrawer onClose={close} />}
        {edit !== undefined && edit !== 'new' && <EditCouponDrawer key={edit} id={Number(edit)} onClose={close} />}
      </Suspense>
    </>
  )
}
