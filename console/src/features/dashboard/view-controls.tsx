import { SegmentedControl } from '@mantine/core'
import { dashboardRoutes } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { isStepFor } from './dashboard-range'
import { ranges, type DashboardSearch } from './dashboard-search'
import type { DashboardView } from './use-dashboard'

interface ViewControlsProps {
  readonly view: DashboardView
  readonly onChange: (change: DashboardSearch) => void
}

/** How far back, and in steps of what. */
export function ViewControls({ view, onChange }: ViewControlsProps) {
  const { t } = useTranslation('dashboard')
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t('range.label')}
        value={view.isCustom ? '' : String(view.days)}
        onChange={(value) => onChange({ days: Number(value), from: undefined, to: undefined, step: undefined })}
        data={ranges.map((days) => ({ value: String(days), label: t(`range.${days}`) }))}
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
