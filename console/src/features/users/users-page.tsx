import { Button } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useMemo } from 'react'
import { useTranslation } from '../../lib/i18n'

import { usePage } from '../../components/data-table/use-page'
import { PageHeader } from '../../components/page-header'
import { focusRow, usePeekSteps } from '../../components/use-peek-steps'
import { useViewer } from '../../lib/session'
import { useExportUsers } from './use-export-users'
import { pageRights } from './user-rights'
import type { UserSearch } from './user-search'
import classes from './users.module.css'
import { UsersTable } from './users-table'
import { useOpenUser, useUsers } from './use-users'

const NewUserDrawer = lazy(async () => ({ default: (await import('./new-user-drawer')).NewUserDrawer }))
const EditUserDrawer = lazy(async () => ({ default: (await import('./edit-user-drawer')).EditUserDrawer }))
const UserPanel = lazy(async () => ({ default: (await import('./user-panel')).UserPanel }))

const route = getRouteApi('/admin/users')

/** Accounts: who they are, what they have and use, and all that is done with them. */
export function UsersPage() {
  const { t } = useTranslation('users')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = useCallback(
    (change: Partial<UserSearch>) => void navigate({ search: (current) => ({ ...current, ...change }) }),
    [navigate],
  )
  const paging = usePage(search, setSearch)
  const { open: openId, edit, keyword, group } = search
  const list = useUsers({ keyword, group, page: paging.page, size: paging.size })
  const opened = useOpenUser(openId, list.data?.items)
  const open = useCallback((id: number | undefined) => setSearch({ open: id }), [setSearch])
  const items = list.data?.items
  const ids = useMemo(() => items?.map(({ id }) => id), [items])
  const steps = usePeekSteps(openId, ids, open)
  const { isBusy, start: startExport } = useExportUsers({ keyword, group })
  const { mayAdd } = pageRights(useViewer())
  const close = () => setSearch({ edit: undefined })
  return (
    <>
      <PageHeader title={t('title')}>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} />}
          loading={isBusy}
          onClick={() => void startExport()}
        >
          {t('export')}
        </Button>
        {mayAdd && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => setSearch({ edit: 'new' })}>
            {t('add')}
          </Button>
        )}
      </PageHeader>
      <div className={classes.beside}>
        <div className={classes.list}>
          <UsersTable search={search} setSearch={setSearch} list={list} paging={paging} />
        </div>
        <Suspense>
          {openId !== undefined && (
            <UserPanel
              {...opened}
              {...steps}
              onEdit={() => setSearch({ edit: String(openId) })}
              onClose={() => {
                focusRow(openId)
                open(undefined)
              }}
            />
          )}
        </Suspense>
      </div>
      <Suspense>
        {edit === 'new' && <NewUserDrawer onClose={close} />}
        {edit !== undefined && edit !== 'new' && <EditUserDrawer key={edit} id={Number(edit)} onClose={close} />}
      </Suspense>
    </>
  )
}
