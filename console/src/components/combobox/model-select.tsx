import { channelRoutes, modelRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/query'
import { choicesOf } from './choice'
import { SearchSelect, type SearchSelectProps } from './search-select'

interface ModelSelectProps extends Omit<SearchSelectProps, 'choices' | 'search'> {
  /** Those that the reader may call, or all that a channel serves; the latter for administrators. */
  readonly of: 'reader' | 'site'
}

const lists = { reader: modelRoutes.ownModels, site: channelRoutes.enabledModels } as const

/** A model by part of its name. */
export function ModelSelect({ of, ...props }: ModelSelectProps) {
  const { data = [], error } = useRead(lists[of])
  return <SearchSelect {...props} choices={choicesOf(data)} error={props.error ?? error?.message} />
}
