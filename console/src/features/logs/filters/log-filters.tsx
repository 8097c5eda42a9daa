import { FilterBar } from '../../../components/filter-bar'
import { FilterChips } from './filter-chips'
import { furtherFilters } from '../log-query'
import type { LogSearch } from '../log-search'
import { ModelFilter } from './model-filter'
import { LogRange } from './log-range'

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
      onChange={(change) => onChange(cleared(Object.keys(change)))}
    >
      <ModelFilter pattern={search.model} onChange={(model) => onChange({ model })} />
      <LogRange search={search} onChange={onChange} />
      <FilterChips search={search} onChange={onChange} />
    </FilterBar>
  )
}

const cleared = (names: readonly string[]): LogSearch => Object.fromEntries(names.map((name) => [name, undefined]))
