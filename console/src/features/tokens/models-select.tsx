import { modelRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'
import { choicesOf, withValues } from '../../components/combobox/choice'
import { SearchMultiSelect, type SearchMultiSelectProps } from '../../components/combobox/search-multi-select'

type ModelsSelectProps = Omit<SearchMultiSelectProps, 'choices'>

/** Selects several of the models that the reader may call. */
export function ModelsSelect(props: ModelsSelectProps) {
  const { data = [] } = useRead(modelRoutes.ownModels)
  return <SearchMultiSelect {...props} choices={withValues(choicesOf(data), props.value ?? [])} />
}
