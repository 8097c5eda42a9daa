import { channelRoutes, modelRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/i18n'
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
  const { t } = useTranslation()
  const { data = [], error } = useRead(lists[of])
  const fault = error && (of === 'site' ? t('combobox.noEnabled', { why: error.message }) : error.message)
  return <SearchSelect {...props} choices={choicesOf(data)} error={props.error ?? fault} />
}
