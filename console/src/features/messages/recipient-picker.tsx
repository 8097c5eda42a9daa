import { Button, Checkbox, Group, Input, Pill, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { userRoutes } from '@tollgate/contract'
import { useId, useState, type ReactNode } from 'react'

import { ErrorState } from '../../components/page/state-message'
import { ListFooter } from './list-footer'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import type { Recipient } from './message-form'
import classes from './messages.module.css'

interface RecipientPickerProps {
  readonly chosen: readonly Recipient[]
  readonly error: ReactNode
  readonly onChange: (chosen: readonly Recipient[]) => void
}

const pageSize = 20
const typingMs = 300
/** More would push the list out of view; the rest are counted. */
const maxPills = 20

/** Selects single users, found by name, mail address or id, across pages. */
export function RecipientPicker({ chosen, error, onChange }: RecipientPickerProps) {
  const { t } = useTranslation('messages')
  const id = useId()
  const remove = (gone: readonly number[]) => onChange(chosen.filter((user) => !gone.includes(user.id)))
  return (
    <Stack gap="xs" role="group" aria-labelledby={id} aria-describedby={error ? `${id}-error` : undefined}>
      <Group justify="space-between" gap="xs" mih={22}>
        <Text size="sm" fw={500} id={id} className="figures" aria-live="polite">
          {t('picker.chosen', { count: chosen.length })}
        </Text>
        {chosen.length > 0 && (
          <Button variant="subtle" size="compact-xs" onClick={() => onChange([])}>
            {t('picker.clear')}
          </Button>
        )}
      </Group>
      {chosen.length > 0 && (
        <Pill.Group>
          {chosen.slice(0, maxPills).map((user) => (
            <Pill
              key={user.id}
              className={classes.pill}
              withRemoveButton
              removeButtonProps={{
                'aria-label': t('picker.remove', { name: user.username }),
                'aria-hidden': undefined,
                tabIndex: 0,
              }}
              onRemove={() => remove([user.id])}
            >
              {user.username}
            </Pill>
          ))}
          {chosen.length > maxPills && (
            <Pill className={classes.pill}>{t('picker.more', { count: chosen.length - maxPills })}</Pill>
          )}
        </Pill.Group>
      )}
      <UserList chosen={chosen} onAdd={(users) => onChange([...chosen, ...users])} onRemove={remove} />
      {error && <Input.Error id={`${id}-error`}>{error}</Input.Error>}
    </Stack>
  )
}

interface UserListProps {
  readonly chosen: readonly Recipient[]
  readonly onAdd: (users: readonly Recipient[]) => void
  readonly onRemove: (ids: readonly number[]) => void
}

/** A page of matching users. */
function UserList({ chosen, onAdd, onRemove }: UserListProps) {
  const { t } = useTranslation('messages')
  const [typed, setTyped] = useState('')
  const [keyword] = useDebouncedValue(typed.trim(), typingMs)
  const [page, setPage] = useState(1)
  const list = useUsers(keyword, page)
  const users = list.data?.items.filter((user) => !isClosed(user)) ?? []
  const ids = new Set(chosen.map(({ id }) => id))
  const ticked = users.filter(({ id }) => ids.has(id))
  const isAll = users.length > 0 && ticked.length === users.length
  const total = list.data?.total ?? 0
  return (
    <div className={classes.picker} aria-busy={list.isFetching}>
      <TextInput
        aria-label={t('picker.search')}
        placeholder={t('picker.search')}
        leftSection={<IconSearch size={14} />}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setPage(1)
        }}
        // Enter would send the message.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {list.error ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} isSmall />
      ) : (
        <div className={classes.users}>
          {users.length > 0 && (
            <Checkbox
              size="sm"
              label={t('picker.page')}
              checked={isAll}
              indeterminate={!isAll && ticked.length > 0}
              onChange={() =>
                isAll ? onRemove(users.map(({ id }) => id)) : onAdd(users.filter(({ id }) => !ids.has(id)).map(nameOf))
              }
            />
          )}
          {users.map((user) => (
            <Checkbox
              key={user.id}
              size="sm"
              label={<UserName user={user} />}
              checked={ids.has(user.id)}
              onChange={() => (ids.has(user.id) ? onRemove([user.id]) : onAdd([nameOf(user)]))}
            />
          ))}
          {list.isPending && <Skeleton h={120} />}
          {list.data && users.length === 0 && (
            <Text size="sm" c="dimmed" py="md" ta="center">
              {t('picker.none')}
            </Text>
          )}
        </div>
      )}
      {total > pageSize && <ListFooter page={page} size={pageSize} total={total} onChange={setPage} />}
    </div>
  )
}

function useUsers(keyword: string, page: number) {
  const query = { p: page, page_size: pageSize }
  const all = useRead(userRoutes.listUsers, { query }, { enabled: keyword === '' })
  const found = useRead(userRoutes.searchUsers, { query: { ...query, keyword } }, { enabled: keyword !== '' })
  return keyword === '' ? all : found
}

/** Deleted accounts cannot read messages. */
const isClosed = (user: userRoutes.KnownUser) => userRoutes.isWhole(user) && user.DeletedAt !== null

const nameOf = ({ id, username, display_name }: Recipient): Recipient => ({ id, username, display_name })

const UserName = ({ user: { id, username, display_name: name } }: { readonly user: Recipient }) => (
  <>
    {username}
    <Text inherit span c="dimmed">
      {name && name !== username && ` ${name}`}
      {` #${id}`}
    </Text>
  </>
)
