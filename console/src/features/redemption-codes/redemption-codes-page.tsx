import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { redemptionRoutes } from '@tollgate/contract'
import { lazy, Suspense, useCallback } from 'react'

import { useList } from '../../components/data-table/use-list'
import { ListWithPanel } from '../../components/peek/list-with-panel'
import { PageHeader } from '../../components/page/page-header'
import { usePeek } from '../../components/peek/use-peek'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useSearchChange } from '../../lib/url/use-search-change'
import { CleanUpMenu } from './clean-up-menu'
import { noFilters, type CouponSearch } from './redemption-code-search'
import { CouponsTable } from './redemption-codes-table'
import { useCoupons } from './redemption-code-data'

const NewCouponDrawer = lazy(async () => ({ default: (await import('./redemption-code-drawer')).NewCouponDrawer }))
const EditCouponDrawer = lazy(async () => ({ default: (await import('./redemption-code-drawer')).EditCouponDrawer }))
const UsesPanel = lazy(async () => ({ default: (await import('./redemption-code-panel')).UsesPanel }))

const route = getRouteApi('/admin/coupons')

/** Redemption codes: their value, their uses and all actions. */
export function CouponsPage() {
  const { t } = useTranslation('coupons')
  const search = route.useSearch()
  const setSearch = useSearchChange<CouponSearch>(route.useNavigate())
  const list = useList(search, setSearch, { sorts: redemptionRoutes.redemptionSorts, noFilters })
  const coupons = useCoupons(search, list.part)
  const { edit, open: openId } = search
  const open = useCallback((id: number | undefined) => setSearch({ open: id }), [setSearch])
  const peek = usePeek(openId, coupons.data?.items, open)
  const mayWrite = useViewer().may('codes.write')
  const close = () => setSearch({ edit: undefined })
  return (
    <>
      <PageHeader title={t('title')}>
        {mayWrite && (
          <>
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
            <UsesPanel id={openId} coupon={coupons.data?.items.find(({ id }) => id === openId)} {...peek.panel} />
          )
        }
      >
        <CouponsTable search={search} setSearch={setSearch} list={list} coupons={coupons} peek={peek.table} />
      </ListWithPanel>
      <Suspense>
        {edit === 'new' && <NewCouponDrawer onClose={close} />}
        {edit !== undefined && edit !== 'new' && <EditCouponDrawer key={edit} id={Number(edit)} onClose={close} />}
      </Suspense>
    </>
  )
}
