import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { channelRoutes, userRoutes } from '@tollgate/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useRead } from '../../lib/query'

interface SearchedFilterProps<Value> {
  readonly value: Value | undefined
  readonly onChange: (value: Value | undefined) => void
}

const typingMs = 250
const offered = 20

/** A channel by its name or id, searched for on the server. */
export function ChannelFilter({ value, onChange }: SearchedFilterProps<number>) {
  const { t } = useTranslation('logs')
  const [typed, setTyped] = useState('')
  const [keyword] = useDebouncedValue(typed, typingMs)
  const found = useRead(channelRoutes.searchChannels, { query: { keyword, p: 1, page_size: offered } })
  const chosen = useRead(
    channelRoutes.getChannel,
    { params: { id: value ?? 0 } },
    { enabled: value !== undefined, staleTime: Infinity },
  )
  const channels = found.data === undefined ? [] : 'items' in found.data ? found.data.items : found.data
  const named = channels.map(({ id, name }) => ({ value: String(id), label: `${name} #${id}` }))
  const isListed = value === undefined || channels.some(({ id }) => id === value)
  const name = chosen.data?.id === value ? `${chosen.data?.name ?? ''} ` : ''
  return (
    <Select
      label={t('filter.channel')}
      comboboxProps={inPlace}
      clearable
      searchable
      filter={asFound}
      data={isListed ? named : [{ value: String(value), label: `${name}#${value}` }, ...named]}
      value={value?.toString() ?? null}
      onSearchChange={setTyped}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
    />
  )
}

/** A user by name, display name or id, searched for on the server. */
export function UserFilter({ value, onChange }: SearchedFilterProps<string>) {
  const { t } = useTranslation('logs')
  const [typed, setTyped] = useState('')
  const [keyword] = useDebouncedValue(typed, typingMs)
  const found = useRead(userRoutes.searchUsers, { query: { keyword, p: 1, page_size: offered } })
  const names = found.data?.items.map(({ username }) => username) ?? []
  return (
    <Select
      label={t('filter.username')}
      comboboxProps={inPlace}
      clearable
      searchable
      filter={asFound}
      data={value === undefined || names.includes(value) ? names : [value, ...names]}
      value={value ?? null}
      onSearchChange={setTyped}
      onChange={(name) => onChange(name ?? undefined)}
    />
  )
}

const inPlace = { withinPortal: false } as const

/** The server has searched already. */
const asFound = <Option,>({ options }: { readonly options: Option[] }) => options
