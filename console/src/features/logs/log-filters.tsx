import { modelRoutes } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { FilterBar } from '../../components/filter-bar'
import { useRead } from '../../lib/query'
import { FilterChips } from './filter-chips'
import { furtherFilters } from './log-query'
import type { LogSearch } from './log-search'
import { modelPattern, shownModel } from './model-pattern'
import { LogRange } from './log-range'

interface LogFiltersProps {
  readonly search: LogSearch
  readonly onChange: (change: LogSearch) => void
}

const others = [...furtherFilters, 'not', 'range', 'from', 'to'] as const
type Name = 'model' | (typeof others)[number]

const noModels: readonly string[] = []

/** The model and the range are always at hand; every other filter is a chip for as long as it is set. */
export function LogFilters({ search, onChange }: LogFiltersProps) {
  const { t } = useTranslation('logs')
  const { data: models = noModels } = useRead(modelRoutes.ownModels, {}, { staleTime: Infinity })
  const texts = Object.fromEntries(others.map((name) => [name, search[name] && JSON.stringify(search[name])]))
  const set = ({ model, ...change }: Partial<Record<Name, string | undefined>>) =>
    // Each of the others is only ever cleared here.
    onChange({ ...cleared(Object.keys(change)), model: modelPattern(model, models) })
  return (
    <FilterBar<Name>
      filters={[{ name: 'model', kind: 'text', label: t('filter.model'), isSearch: true, suggestions: models }]}
      others={others}
      values={{ ...texts, model: shownModel(search.model) }}
      onChange={set}
    >
      <LogRange search={search} onChange={onChange} />
      <FilterChips search={search} onChange={onChange} />
    </FilterBar>
  )
}

const cleared = (names: readonly string[]): LogSearch => Object.fromEntries(names.map((name) => [name, undefined]))
