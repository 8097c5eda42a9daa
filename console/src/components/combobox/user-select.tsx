import { userRoutes } from '@tollgate/contract'

import { SearchSelect, type SearchSelectProps } from './search-select'
import { useServerSearch } from './use-server-search'

type UserSelectProps = Omit<SearchSelectProps, 'choices' | 'chosen' | 'search' | 'free'>

/** Selects a user by part of the name, mail address or display name, or by id. */
export function UserSelect(props: UserSelectProps) {
  const { search, choices } = useServerSearch({
    route: userRoutes.searchUsers,
    query: (keyword) => ({ query: { keyword, p: 1, page_size: 20 } }),
    choices: ({ items }) =>
      items.map(({ id, username, display_name: name }) => ({
        value: username,
        label: username,
        hint: name === username ? undefined : name,
        mark: `#${id}`,
      })),
  })
  return <SearchSelect {...props} choices={choices} search={search} />
}
