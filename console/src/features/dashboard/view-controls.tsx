import { SegmentedControl } from '@mantine/core'
import { dashboardRoutes } from '@tollgate/contract'

import { RangeChoice } from '../../components/time-range/range-choice'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { isStepFor } from './dashboard-range'
import { ranges, type DashboardSearch } from './dashboard-search'
import type { DashboardView } from './use-dashboard'

interface ViewControlsProps {
  readonly view: DashboardView
  readonly onChange: (change: DashboardSearch) => void
}

/** Selects users, range and step. */
export function ViewControls({ view, onChange }: ViewControlsProps) {
  const { t } = useTranslation('dashboard')
  const readsAll = useViewer().may('logs.read')
  const { range } = view
  return (
    <>
      {readsAll && (
        <SegmentedControl
          size="xs"
          aria-label={t('scope.label')}
          value={view.isAllUsers ? 'all' : 'mine'}
          onChange={(value) => onChange({ mine: value === 'mine' || undefined })}
          data={[
            { value: 'all', label: t('scope.all') },
            { value: 'mine', label: t('scope.mine') },
          ]}
        />
      )}
      <RangeChoice
        quick={ranges.map((days) => ({ value: `${days}` as const, label: t(`range.last.${days}`) }))}
        value={view.quick === undefined ? { from: range.start, to: range.end } : `${view.quick}`}
        maxDays={dashboardRoutes.maxDashboardDays}
        onChange={(chosen) =>
          onChange(
            typeof chosen === 'string'
              ? {
                  days: ranges.find((days) => String(days) === chosen),
                  from: undefined,
                  to: undefined,
                  step: undefined,
                }
              : { days: undefined, from: chosen.from, to: chosen.to, step: undefined },
          )
        }
      />
      <SegmentedControl
        size="xs"
        aria-label={t('step.label')}
        value={view.step}
        onChange={(step) => onChange({ step })}
        data={dashboardRoutes.granularities.map((step) => ({
          value: step,
          label: t(`step.${step}`),
          disabled: !isStepFor(step, view.days),
        }))}
      />
    </>
  )
}
