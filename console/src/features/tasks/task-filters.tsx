import { taskStatuses } from '@tollgate/contract'

import { FilterBar } from '../../components/filter-bar'
import { RangeChoice } from '../../components/time-range/range-choice'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import type { TaskKind } from './task-data'
import { taskRanges, type TaskRange, type TaskSearch } from './task-search'
import { actionName, statusName } from './task-cells'

interface TaskFiltersProps {
  readonly kind: TaskKind
  readonly search: TaskSearch
  readonly onChange: (change: Partial<TaskSearch>) => void
}

/** The task's id first, then time, state and action; channel and user for administrators. */
export function TaskFilters({ kind, search, onChange }: TaskFiltersProps) {
  const { t } = useTranslation('tasks')
  const readsAll = useViewer().may('logs.read')
  const { task, status, action, username, channel } = search
  return (
    <FilterBar
      filters={[
        { kind: 'text', name: 'task', label: t('column.task'), isSearch: true },
        {
          kind: 'few',
          name: 'status',
          label: t('column.status'),
          choices: taskStatuses.map((value) => ({ value, label: statusName(value) })),
        },
        {
          kind: 'few',
          name: 'action',
          label: t('column.action'),
          choices: kind.actions.map((value) => ({ value, label: actionName(value) })),
        },
        ...(readsAll
          ? [
              { kind: 'text', name: 'username', label: t('column.username'), width: 130 } as const,
              { kind: 'text', name: 'channel', label: t('filter.channel'), width: 110 } as const,
            ]
          : []),
      ]}
      values={{ task, status, action, username, channel: channel === undefined ? undefined : String(channel) }}
      onChange={({ channel: id, ...change }) =>
        onChange({ ...change, ...(id !== undefined && { channel: /^\d{1,15}$/.test(id) ? Number(id) : undefined }) })
      }
    >
      <Range kind={kind} search={search} onChange={onChange} />
    </FilterBar>
  )
}

function Range({ kind, search: { range = kind.range, from, to }, onChange }: TaskFiltersProps) {
  const { t } = useTranslation('tasks')
  const isCustom = from !== undefined || to !== undefined
  return (
    <RangeChoice<TaskRange>
      quick={taskRanges.map((value) => ({ value, label: t(`range.${value}`) }))}
      value={isCustom ? { from, to } : range}
      onChange={(chosen) =>
        onChange(
          typeof chosen === 'string'
            ? { range: chosen === kind.range ? undefined : chosen, from: undefined, to: undefined }
            : { ...chosen, range: undefined },
        )
      }
    />
  )
}
