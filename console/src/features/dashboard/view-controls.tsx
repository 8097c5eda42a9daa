import { SegmentedControl } from '@mantine/core'
import { dashboardRoutes } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

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
        value={String(view.days)}
        onChange={(value) => onChange({ days: Number(value) })}
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
          // A bar for each hour of three months would be thinner than a pixel.
          disabled: step === 'hour' && view.days > 30,
        }))}
      />
    </>
  )
}
