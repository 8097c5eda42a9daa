import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { userRoutes, userStatus } from '@tollgate/contract'
import { useState } from 'react'
import { useTranslation } from '../../lib/i18n'

import { DataTable } from '../../components/data-table/data-table'
import { sourceOf } from '../../components/data-table/source-of'
import type { usePage } from '../../components/data-table/use-page'
import type { usePeek } from '../../components/peek/use-peek'
import { useViewer } from '../../lib/session'
import { BulkActions } from './bulk-actions'
import { pageRights } from './user-rights'
import { UserActions } from './user-actions'
import { UserFilters } from './user-filters'
import type { UserSearch } from './user-search'
import { useUserColumns } from './use-user-columns'
import { useUsage, type useUsers } from './use-users'

type KnownUser = userRoutes.KnownUser

interface UsersTableProps {
  readonly search: UserSearch
  readonly setSearch: (change: Partial<UserSearch>) => void
  readonly list: ReturnType<typeof useUsers>
  readonly paging: ReturnType<typeof usePage>
  readonly peek: ReturnType<typeof usePeek<number>>['table']
}

const rowKey = ({ id }: KnownUser) => String(id)
/** Whether the account is in use, as far as known. */
const isOpen = (user: KnownUser) =>
  !userRoutes.isWhole(user) || (user.DeletedAt === null && user.status === userStatus.enabled)
const none: ReadonlySet<string> = new Set()

/** All accounts that the reader may see, newest first. */
export function UsersTable({ search, setSearch, list, paging, peek }: UsersTableProps) {
  const { t } = useTranslation('users')
  const columns = useUserColumns(useUsage(list.data?.items))
  const [selected, setSelected] = useState(none)
  const { mayAdd, mayMove, mayCredit } = pageRights(useViewer())
  return (
    <DataTable
      id="users"
      label={t('title')}
      columns={columns}
      rowKey={rowKey}
      source={sourceOf(list)}
      paging={{
        ...paging,
        total: list.data?.total ?? 0,
        onChange: (page, size) => {
          setSelected(none)
          paging.onChange(page, size)
        },
      }}
      {...peek}
      isMuted={(user) => !isOpen(user)}
      selection={
        mayMove || mayCredit
          ? {
              selected,
              onChange: setSelected,
              actions: (users, clear) => <BulkActions users={users} onDone={clear} />,
            }
          : undefined
      }
      rowActions={(user) => <UserActions user={user} onEdit={() => setSearch({ edit: String(user.id) })} />}
      empty={{
        title: t('empty.title'),
        hint: t('empty.hint'),
        action: mayAdd ? (
          <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => setSearch({ edit: 'new' })}>
            {t('add')}
          </Button>
        ) : null,
      }}
      onClearFilters={search.keyword || search.group ? () => setSearch(noFilters) : undefined}
      toolbar={
        <UserFilters
          search={search}
          onChange={(change) => {
            setSelected(none)
            setSearch({ ...change, page: undefined })
          }}
        />
      }
    />
  )
}

const noFilters = { keyword: undefined, group: undefined, page: undefined }
