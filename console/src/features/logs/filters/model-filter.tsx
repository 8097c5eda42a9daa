import { channelRoutes } from '@tollgate/contract'

import { ModelSelect } from '../../../components/combobox/model-select'
import { useTranslation } from '../../../lib/text/i18n'
import { useViewer } from '../../../lib/api/session'

interface ModelFilterProps {
  /** A name, or a pattern in which `%` matches any text. */
  readonly pattern: string | undefined
  readonly onChange: (pattern: string | undefined) => void
}

/** Filters by a model of the list, or by all whose names contain what is typed. */
export function ModelFilter({ pattern, onChange }: ModelFilterProps) {
  const { t } = useTranslation('logs')
  const { may } = useViewer()
  const seesSite = may('logs.read') && may(channelRoutes.enabledModels.access)
  return (
    <ModelSelect
      of={seesSite ? 'site' : 'reader'}
      size="xs"
      w={220}
      maw="100%"
      aria-label={t('filter.model')}
      placeholder={t('filter.model')}
      data-search-field
      isClearable
      value={pattern ?? null}
      chosen={pattern === undefined ? undefined : { value: pattern, label: shownModel(pattern) }}
      free={(text) => ({ value: modelPattern(text), label: t('filter.contains', { text }) })}
      onChange={(model) => onChange(model ?? undefined)}
    />
  )
}

/** Returns a pattern as shown in the model field: without the wildcards of a typed part. */
export const shownModel = (pattern: string): string => (/^%[^%]+%$/.test(pattern) ? pattern.slice(1, -1) : pattern)

/** Returns the pattern of text other than a known name: a pattern as it is, or else a part of a name. */
export const modelPattern = (typed: string): string => (typed.includes('%') ? typed : `%${typed}%`)
