import { channelRoutes, modelRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import { choicesOf } from './choice'
import { SearchSelect, type SearchSelectProps } from './search-select'

interface ModelSelectProps extends Omit<SearchSelectProps, 'choices' | 'search'> {
  /** Models that the reader may call, or all models of all channels; the latter for administrators. */
  readonly of: 'reader' | 'site'
}

const lists = { reader: modelRoutes.ownModels, site: channelRoutes.enabledModels } as const

/** Selects a model by part of its name. The names are requested on first focus. */
export function ModelSelect({ of, onFocus, ...props }: ModelSelectProps) {
  const { t } = useTranslation()
  const [isEntered, setEntered] = useState(false)
  const { data = [], error } = useRead(lists[of], undefined, { enabled: isEntered })
  const fault = error && (of === 'site' ? t('combobox.noEnabled', { why: error.message }) : error.message)
  const [chosen] = choicesOf(props.value ? [props.value] : [])
  return (
    <SearchSelect
      chosen={chosen}
      {...props}
      choices={choicesOf(data)}
      error={props.error ?? fault}
      onFocus={(event) => {
        setEntered(true)
        onFocus?.(event)
      }}
    />
  )
}
