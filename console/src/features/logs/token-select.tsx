import { pageIn, tokenRoutes } from '@tollgate/contract'

import { SearchSelect, type SearchSelectProps } from '../../components/combobox/search-select'
import { useServerSearch } from '../../components/combobox/use-server-search'

type TokenSelectProps = Omit<SearchSelectProps, 'choices' | 'chosen' | 'search'>

/** Selects one of the reader's tokens by part of its name. Tokens of other users can only be typed, where free text is allowed. */
export function TokenSelect(props: TokenSelectProps) {
  const { search, choices } = useServerSearch({
    route: tokenRoutes.searchTokens,
    query: (keyword) => ({ query: { keyword, p: 0, size: 20 } }),
    choices: (found) => {
      // Names are not unique, and the name is the value.
      const byName = new Map(pageIn(found).items.map((token) => [token.name, token]))
      return [...byName.values()].map(({ id, name }) => ({ value: name, label: name, mark: `#${id}` }))
    },
  })
  return <SearchSelect {...props} choices={choices} search={search} />
}
