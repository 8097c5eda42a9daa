import { groupRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'
import { choicesOf, withValues } from './choice'
import { SearchMultiSelect, type SearchMultiSelectProps } from './search-multi-select'

type GroupsSelectProps = Omit<SearchMultiSelectProps, 'choices'>

/** Selects several groups of the site; for administrators. */
export function GroupsSelect(props: GroupsSelectProps) {
  const { data = [] } = useRead(groupRoutes.listGroups)
  return <SearchMultiSelect {...props} choices={withValues(choicesOf(data), props.value ?? [])} />
}
