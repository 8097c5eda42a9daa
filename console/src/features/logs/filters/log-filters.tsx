import { channelRoutes } from '@tollgate/contract'

import { FilterBar } from '../../../components/filter-bar'
import { FilterChips } from './filter-chips'
import { furtherFilters } from '../log-query'
import { type LogSearch, type QuickRange, quickRanges } from '../log-search'
import { RangeChoice } from '../../../components/time-range/range-choice'
import { useTranslation } from '../../../lib/text/i18n'
import { ModelSelect } from '../../../components/combobox/model-select'
import { useViewer } from '../../../lib/api/session'

interface LogFiltersProps {
  readonly search: LogSearch
  readonly onChange: (change: LogSearch) => void
}

const filters = ['model', ...furtherFilters, 'not', 'range', 'from', 'to'] as const

/** The model and the range are always visible; every other filter is a chip while it is active. */
export function LogFilters({ search, onChange }: LogFiltersProps) {
  const texts = Object.fromEntries(filters.map((name) => [name, search[name] && JSON.stringify(search[name])]))
  return (
    <FilterBar
      filters={[]}
      others={filters}
      values={texts}
      // Here they are only ever cleared.
      onChange={(change) => onChange(withoutFilters(Object.keys(change)))}
    >
      <ModelFilter pattern={search.model} onChange={(model) => onChange({ model })} />
      <LogRange search={search} onChange={onChange} />
      <FilterChips search={search} onChange={onChange} />
    </FilterBar>
  )
}

const withoutFilters = (names: readonly string[]): LogSearch =>
  Object.fromEntries(names.map((name) => [name, undefined]))

type Range = Pick<LogSearch, 'range' | 'from' | 'to'>

interface LogRangeProps {
  readonly search: Range
  readonly onChange: (change: Range) => void
}

/** The time range; by default today. */
function LogRange({ search: { range = 'today', from, to }, onChange }: LogRangeProps) {
  const { t } = useTranslation('logs')
  const isCustom = from !== undefined || to !== undefined
  return (
    <RangeChoice<QuickRange>
      quick={quickRanges.map((value) => ({ value, label: t(`range.${value}`) }))}
      value={isCustom ? { from, to } : range}
      onChange={(chosen) =>
        onChange(
          typeof chosen === 'string'
            ? { range: chosen === 'today' ? undefined : chosen, from: undefined, to: undefined }
            : { ...chosen, range: undefined },
        )
      }
    />
  )
}

interface ModelFilterProps {
  /** A name, or a pattern in which `%` matches any text. */
  readonly pattern: string | undefined
  readonly onChange: (pattern: string | undefined) => void
}

/** Filters by a model of the list, or by all whose names contain what is typed. */
function ModelFilter({ pattern, onChange }: ModelFilterProps) {
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
