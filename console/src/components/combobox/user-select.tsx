import { userRoutes } from '@tollgate/contract'
import { useState } from 'react'

import type { Choice } from './choice'
import { SearchSelect, type SearchSelectProps } from './search-select'
import { useServerSearch } from './use-server-search'

interface UserSelectProps extends Omit<SearchSelectProps, 'choices' | 'chosen' | 'search' | 'free'> {
  /** The value is the id of the user, not the name. */
  readonly isById?: boolean
}

/** Selects a user by part of the name, mail address or display name, or by id. */
export function UserSelect({ isById = false, onChange, ...props }: UserSelectProps) {
  const [chosen, setChosen] = useState<Choice>()
  const { search, choices } = useServerSearch({
    route: userRoutes.searchUsers,
    query: (keyword) => ({ query: { keyword, p: 1, page_size: 20 } }),
    choices: ({ items }) =>
      items.map(({ id, username, display_name: name }) => ({
        value: isById ? String(id) : username,
        label: username,
        hint: name === username ? undefined : name,
        mark: `#${id}`,
      })),
  })
  return (
    <SearchSelect
      {...props}
      choices={choices}
      chosen={chosen?.value === props.value ? chosen : undefined}
      search={search}
      onChange={(value) => {
        setChosen(choices.find((choice) => choice.value === value))
        onChange(value)
      }}
    />
  )
}
