import { SegmentedControl } from '@mantine/core'
import { dashboardRoutes } from '@tollgate/contract'

import { RangeChoice } from '../../components/time-range/range-choice'
import { useTranslation } from '../../lib/text/i18n'
import { isStepFor } from './dashboard-range'
import { ranges, type DashboardSearch } from './dashboard-search'
import type { viewOf } from './dashboard-view'

interface RangeControlsProps {
  readonly view: Pick<ReturnType<typeof viewOf>, 'range' | 'quick' | 'days' | 'step'>
  readonly onChange: (change: Pick<DashboardSearch, 'days' | 'from' | 'to' | 'step'>) => void
}

/** Selects range and step. */
export function RangeControls({ view, onChange }: RangeControlsProps) {
  const { t } = useTranslation('dashboard')
  const { range } = view
  return (
    <>
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
