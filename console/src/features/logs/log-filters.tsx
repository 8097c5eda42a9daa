import { NativeSelect } from '@mantine/core'
import { logType } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { FilterBar, type Filter } from '../../components/filter-bar'
import { useViewer } from '../../lib/session'
import { quickRanges, startOf, type QuickRange } from './log-query'
import { logTypes } from './log-row'
import type { LogSearch } from './log-search'

const RangeDialog = lazy(async () => ({ default: (await import('./range-dialog')).RangeDialog }))

interface LogFiltersProps {
  readonly search: LogSearch
  readonly onChange: (change: LogSearch) => void
}

type Name = 'type' | 'token' | 'model' | 'group' | 'request' | 'username' | 'channel'

const width = 132

export function LogFilters({ search, onChange }: LogFiltersProps) {
  const { t } = useTranslation('logs')
  const { isAdmin } = useViewer()
  const text = (name: Name, isSearch = false): Filter<Name> => ({
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
      width: 120,
      choices: logTypes.map((name) => ({ value: String(logType[name]), label: t(`type.${name}`) })),
    },
    text('token'),
    text('group'),
    ...(isAdmin ? [text('username'), text('channel')] : []),
    text('request'),
  ]
  const values = {
    ...search,
    type: search.type === undefined ? undefined : String(search.type),
    channel: search.channel === undefined ? undefined : String(search.channel),
  }
  return (
    <FilterBar filters={filters} values={values} onChange={(change) => onChange(searchOf(change))}>
      <RangeChoice search={search} onChange={onChange} />
    </FilterBar>
  )
}

const numeric: readonly string[] = ['type', 'channel'] satisfies Name[]

/** Numbers are numbers in the address; what was cleared is cleared there. */
const searchOf = (change: Partial<Record<Name, string | undefined>>): LogSearch =>
  Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, numeric.includes(name) ? wholeNumber(value) : value]),
  )

const wholeNumber = (text = '') => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

const custom = 'custom'

function RangeChoice({ search, onChange }: LogFiltersProps) {
  const { t } = useTranslation('logs')
  const [quick, setQuick] = useState<QuickRange | typeof custom>(search.from === undefined ? 'today' : custom)
  const [isChoosing, setChoosing] = useState(false)
  const shown = search.from === undefined ? 'today' : quick
  const choose = (range: QuickRange) => {
    setQuick(range)
    onChange({ from: range === 'today' ? undefined : startOf(range, Date.now() / 1000), to: undefined })
  }
  return (
    <>
      <NativeSelect
        size="xs"
        w={width}
        aria-label={t('range.label')}
        value={shown}
        onChange={({ currentTarget: { value } }) => {
          const range = quickRanges.find((known) => known === value)
          if (range) choose(range)
          else setChoosing(true)
        }}
        data={([...quickRanges, custom] as const).map((value) => ({ value, label: t(`range.${value}`) }))}
      />
      {isChoosing && (
        <Suspense>
          <RangeDialog
            from={search.from}
            to={search.to}
            onClose={() => setChoosing(false)}
            onChoose={(range) => {
              setQuick(custom)
              onChange(range)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
