import { FilterBar } from '../../../components/filter-bar'
import { FilterChips } from './filter-chips'
import { furtherFilters } from '../log-query'
import { type LogSearch, quickRanges, type QuickRange } from '../log-search'
import { ModelFilter } from './model-filter'
import { RangeChoice } from '../../../components/time-range/range-choice'
import { useTranslation } from '../../../lib/text/i18n'

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
