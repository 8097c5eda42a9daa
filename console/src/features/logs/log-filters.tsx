import { logType } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { FilterBar, type Filter } from '../../components/filter-bar'
import { useViewer } from '../../lib/session'
import { logTypes } from './log-row'
import type { LogSearch } from './log-search'
import { RangeChoice } from './range-choice'

interface LogFiltersProps {
  readonly search: LogSearch
  readonly onChange: (change: LogSearch) => void
}

type Drawn = 'type' | 'token' | 'model' | 'group' | 'request' | 'username' | 'channel'
type Name = Drawn | (typeof ranges)[number]

const ranges = ['range', 'from', 'to'] as const

/** All of them fit in one line of a wide page. */
const width = 116

export function LogFilters({ search, onChange }: LogFiltersProps) {
  const { t } = useTranslation('logs')
  const { isAdmin } = useViewer()
  const text = (name: Drawn, isSearch = false): Filter<Name> => ({
    name,
    kind: 'text',
    label: t(`filter.${name}`),
    width,
    isSearch,
  })
  const filters: readonly Filter<Name>[] = [
    text('model', true),
    {
      name: 'type',
      kind: 'choice',
      label: t('filter.type'),
      width,
      choices: logTypes.map((name) => ({ value: String(logType[name]), label: t(`type.${name}`) })),
    },
    text('token'),
    text('group'),
    ...(isAdmin ? [text('username'), text('channel')] : []),
    text('request'),
  ]
  const { type, channel, from, to } = search
  const values = { ...search, type: written(type), channel: written(channel), from: written(from), to: written(to) }
  return (
    <FilterBar filters={filters} others={ranges} values={values} onChange={(change) => onChange(searchOf(change))}>
      <RangeChoice search={search} onChange={onChange} />
    </FilterBar>
  )
}

const numeric = ['type', 'channel', 'from', 'to'] as const satisfies Name[]
const written = (number: number | undefined) => number?.toString()
const isNumeric = (name: string) => numeric.some((known) => known === name)

/** Numbers are numbers in the address; what was cleared is cleared there. */
const searchOf = (change: Partial<Record<Name, string | undefined>>): LogSearch =>
  Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, isNumeric(name) ? wholeNumber(value) : value]),
  )

const wholeNumber = (text = '') => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)
