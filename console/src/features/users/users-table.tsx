import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { userRoutes, userStatus } from '@tollgate/contract'
import { useTranslation } from '../../lib/text/i18n'

import { DataTable } from '../../components/data-table/data-table'
import { sourceOf } from '../../components/data-table/paging'
import type { useList } from '../../components/data-table/use-list'
import type { usePeek } from '../../components/peek/use-peek'
import { useStandings } from '../../domain/limits/standings-data'
import { useViewer } from '../../lib/api/session'
import { BulkActions } from './bulk-actions'
import { pageRights } from './user-rights'
import { UserActions } from './user-actions'
import { UserFilters } from './user-filters'
import type { UserSearch } from './user-search'
import { useUserColumns } from './user-columns'
import { useUsage, type useUsers } from './user-data'

type KnownUser = userRoutes.KnownUser

interface UsersTableProps {
  readonly search: UserSearch
  readonly setSearch: (change: Partial<UserSearch>) => void
  readonly list: ReturnType<typeof useList<UserSearch, userRoutes.UserSort>>
  readonly users: ReturnType<typeof useUsers>
  readonly peek: ReturnType<typeof usePeek<number>>['table']
}

const rowKey = ({ id }: KnownUser) => String(id)
/** Whether the account is in use, as far as known. */
const isOpen = (user: KnownUser) =>
  !userRoutes.isWhole(user) || (user.DeletedAt === null && user.status === userStatus.enabled)

/** All accounts that the reader may see, newest first unless sorted. */
export function UsersTable({ search, setSearch, list, users, peek }: UsersTableProps) {
  const { t } = useTranslation('users')
  const columns = useUserColumns(useUsage(users.data?.items), useStandings('user', users.data?.items))
  const { mayAdd } = pageRights(useViewer())
  return (
    <DataTable
      id="users"
      label={t('title')}
      columns={columns}
      rowKey={rowKey}
      source={sourceOf(users)}
      {...list.tableOf(users.data?.total)}
      {...peek}
      isMuted={(user) => !isOpen(user)}
      selection={{
        ...list.selection,
        actions: (users, clear) => <BulkActions users={users} onDone={clear} />,
      }}
      rowActions={(user) => (
        <UserActions
          user={user}
          onEdit={() => setSearch({ edit: String(user.id) })}
          onLimits={() => setSearch({ limits: user.id })}
        />
      )}
      empty={{
        title: t('empty.title'),
        hint: t('empty.hint'),
        action: mayAdd ? (
          <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => setSearch({ edit: 'new' })}>
            {t('add')}
          </Button>
        ) : null,
      }}
      toolbar={<UserFilters search={search} onChange={list.filter} />}
    />
  )
}
