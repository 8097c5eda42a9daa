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
import { noFilters, type RedemptionCodeSearch } from './redemption-code-search'
import { RedemptionCodesTable } from './redemption-codes-table'
import { useRedemptionCodes } from './redemption-code-data'

const NewRedemptionCodeDrawer = lazy(async () => ({
  default: (await import('./redemption-code-drawer')).NewRedemptionCodeDrawer,
}))
const EditRedemptionCodeDrawer = lazy(async () => ({
  default: (await import('./redemption-code-drawer')).EditRedemptionCodeDrawer,
}))
const RedemptionCodePanel = lazy(async () => ({
  default: (await import('./redemption-code-panel')).RedemptionCodePanel,
}))

const route = getRouteApi('/admin/coupons')

/** Redemption codes: their value, their uses and all actions. */
export function RedemptionCodesPage() {
  const { t } = useTranslation('redemption-codes')
  const search = route.useSearch()
  const setSearch = useSearchChange<RedemptionCodeSearch>(route.useNavigate())
  const list = useList(search, setSearch, { sorts: redemptionRoutes.redemptionSorts, noFilters })
  const codes = useRedemptionCodes(search, list.part)
  const { edit, open: openId } = search
  const open = useCallback((id: number | undefined) => setSearch({ open: id }), [setSearch])
  const peek = usePeek(openId, codes.data?.items, open)
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
            <RedemptionCodePanel id={openId} code={codes.data?.items.find(({ id }) => id === openId)} {...peek.panel} />
          )
        }
      >
        <RedemptionCodesTable search={search} setSearch={setSearch} list={list} codes={codes} peek={peek.table} />
      </ListWithPanel>
      <Suspense>
        {edit === 'new' && <NewRedemptionCodeDrawer onClose={close} />}
        {edit !== undefined && edit !== 'new' && (
          <EditRedemptionCodeDrawer key={edit} id={Number(edit)} onClose={close} />
        )}
      </Suspense>
    </>
  )
}
