import { FilterBar } from '../../components/filter-bar'
import { RangeChoice } from '../../components/time-range/range-choice'
import { useTranslation } from '../../lib/i18n'
import { quickRanges, type AuditSearch, type QuickRange } from './audit-search'

interface AuditFiltersProps {
  readonly search: AuditSearch
  readonly onChange: (change: Partial<AuditSearch>) => void
}

/** What acts are done to. */
const targets = ['user', 'channel', 'token', 'log', 'session', 'self', 'option'] as const
const outcomes = ['ok', 'refused'] as const

/** Who, what, to what, how it ended, from where, and when. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { t } = useTranslation('audit')
  const { username, action, target, target_id, outcome, ip, request, range, from, to } = search
  const custom = from === undefined && to === undefined ? undefined : { from, to }
  return (
    <FilterBar
      filters={[
        { kind: 'text', name: 'username', label: t('filter.username'), width: 140, isSearch: true },
        { kind: 'text', name: 'action', label: t('filter.action'), width: 170 },
        {
          kind: 'few',
          name: 'target',
          label: t('filter.target'),
          choices: targets.map((value) => ({ value, label: t(`target.${value}`) })),
        },
        { kind: 'text', name: 'target_id', label: t('filter.targetId'), width: 120 },
        {
          kind: 'few',
          name: 'outcome',
          label: t('filter.outcome'),
          choices: outcomes.map((value) => ({ value, label: t(value === 'ok' ? 'outcome.done' : 'outcome.refused') })),
        },
        { kind: 'text', name: 'ip', label: t('filter.ip'), width: 140 },
        { kind: 'text', name: 'request', label: t('filter.request'), width: 170 },
      ]}
      values={{ username, action, target, target_id, outcome, ip, request }}
      onChange={onChange}
    >
      <RangeChoice<QuickRange>
        quick={quickRanges.map((value) => ({ value, label: t(`range.${value}`) }))}
        value={custom ?? range ?? 'all'}
        onChange={(value) =>
          onChange(
            typeof value === 'string'
              ? { range: value === 'all' ? undefined : value, from: undefined, to: undefined }
              : { range: undefined, ...value },
          )
        }
      />
    </FilterBar>
  )
}
