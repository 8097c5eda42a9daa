import { auditActions, auditAreas } from '@tollgate/contract'

import { FilterBar } from '../../../components/filter-bar'
import { QuickRangeFilter } from '../../../components/time-range/quick-range-filter'
import { useTranslation } from '../../../lib/text/i18n'
import type { AuditSearch } from './audit-search'
import { targets } from './audit-cells'

interface AuditFiltersProps {
  readonly search: AuditSearch
  readonly onChange: (change: Partial<AuditSearch>) => void
}

const outcomes = ['ok', 'refused'] as const

/** Actor, action, target, outcome, address, and time. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { t } = useTranslation('audit')
  const { username, action, target, target_id, outcome, ip, request } = search
  const ofAreas = auditAreas.map((area) => ({ value: area, label: t('everythingIn', { area: t(`area.${area}`) }) }))
  const known = [...ofAreas, ...auditActions.map((name) => ({ value: name, label: t(`act.${name}`) }))]
  // An action from the address stays selected, even if this console does not know it.
  const isUnknown = action !== undefined && !known.some(({ value }) => value === action)
  const actions = isUnknown ? [...known, { value: action, label: action }] : known
  return (
    <FilterBar
      filters={[
        { kind: 'text', name: 'username', label: t('filter.username'), width: 140, isSearch: true },
        { kind: 'choice', name: 'action', label: t('filter.action'), width: 210, choices: actions },
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
      <QuickRangeFilter search={search} onChange={onChange} />
    </FilterBar>
  )
}
