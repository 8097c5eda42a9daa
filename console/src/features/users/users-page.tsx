import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { userRoutes } from '@tollgate/contract'
import { lazy, Suspense, useCallback } from 'react'

import { useList } from '../../components/data-table/use-list'
import { ExportButton } from '../../components/export-button'
import { ListWithPanel } from '../../components/peek/list-with-panel'
import { PageHeader } from '../../components/page/page-header'
import { usePeek } from '../../components/peek/use-peek'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useSearchChange } from '../../lib/url/use-search-change'
import { pageRights } from './user-rights'
import { noFilters, type UserSearch } from './user-search'
import { UsersTable } from './users-table'
import { filterOf, useOpenUser, useUsers } from './user-data'

const NewUserDrawer = lazy(async () => ({ default: (await import('./new-user-drawer')).NewUserDrawer }))
const EditUserDrawer = lazy(async () => ({ default: (await import('./edit-user-drawer')).EditUserDrawer }))
const UserLimits = lazy(async () => ({ default: (await import('./user-limits')).UserLimits }))
const UserPanel = lazy(async () => ({ default: (await import('./user-panel')).UserPanel }))

const route = getRouteApi('/admin/users')

/** All accounts with their usage and actions. */
export function UsersPage() {
  const { t } = useTranslation('users')
  const search = route.useSearch()
  const setSearch = useSearchChange<UserSearch>(route.useNavigate())
  const list = useList(search, setSearch, { sorts: userRoutes.userSorts, noFilters })
  const users = useUsers(search, list.part)
  const { open: openId, edit, limits } = search
  const opened = useOpenUser(openId, users.data?.items)
  const open = useCallback((id: number | undefined) => setSearch({ open: id }), [setSearch])
  const peek = usePeek(openId, users.data?.items, open)
  const { mayAdd } = pageRights(useViewer())
  const close = () => setSearch({ edit: undefined })
  return (
    <>
      <PageHeader title={t('title')}>
        <ExportButton route={userRoutes.exportUsers} sent={{ query: filterOf(search) }} name="users.csv" />
        {mayAdd && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => setSearch({ edit: 'new' })}>
            {t('add')}
          </Button>
        )}
      </PageHeader>
      <ListWithPanel
        panel={
          openId !== undefined && (
            <UserPanel {...opened} {...peek.panel} onEdit={() => setSearch({ edit: String(openId) })} />
          )
        }
      >
        <UsersTable search={search} setSearch={setSearch} list={list} users={users} peek={peek.table} />
      </ListWithPanel>
      <Suspense>
        {edit === 'new' && <NewUserDrawer onClose={close} />}
        {limits !== undefined && (
          <UserLimits id={limits} users={users.data?.items} onClose={() => setSearch({ limits: undefined })} />
        )}
        {edit !== undefined && edit !== 'new' && <EditUserDrawer key={edit} id={Number(edit)} onClose={close} />}
      </Suspense>
    </>
  )
}
