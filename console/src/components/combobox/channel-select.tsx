import { channelRoutes, pageIn } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'
import type { Choice } from './choice'
import { SearchSelect, type SearchSelectProps } from './search-select'
import { useServerSearch } from './use-server-search'

interface ChannelSelectProps extends Omit<SearchSelectProps, 'choices' | 'search' | 'free' | 'value' | 'onChange'> {
  readonly value: number | undefined
  readonly onChange: (id: number | undefined) => void
}

const choiceOf = ({ id, name }: { readonly id: number; readonly name: string }): Choice => ({
  value: String(id),
  label: name,
  mark: `#${id}`,
})

/** Selects a channel by part of its name or by its id. */
export function ChannelSelect({ value, onChange, ...select }: ChannelSelectProps) {
  const { search, choices } = useServerSearch({
    route: channelRoutes.searchChannels,
    query: (keyword) => ({ query: { keyword, p: 1, page_size: 20 } }),
    choices: (found) => pageIn(found).items.map(choiceOf),
  })
  const { data } = useRead(
    channelRoutes.getChannel,
    { params: { id: value ?? 0 } },
    { enabled: value !== undefined, staleTime: Infinity },
  )
  return (
    <SearchSelect
      {...select}
      choices={choices}
      chosen={data && data.id === value ? choiceOf(data) : undefined}
      search={search}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
    />
  )
}
