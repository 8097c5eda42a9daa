import { IconDownload } from '@tabler/icons-react'
import { byteOrderMark, csvLine, type CsvCell, type dashboardRoutes } from '@tollgate/contract'

import { MenuButton } from '../../components/menu-button'
import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { saveFile } from '../../lib/browser/save-file'
import { useSite } from '../../lib/api/status'
import { breakdownTable, measuresTable, overTimeTable } from './dashboard-csv'
import { type DashboardView, useSeriesName } from './use-dashboard'

interface ExportMenuProps {
  readonly view: DashboardView
  readonly data: dashboardRoutes.DashboardData | undefined
}

/** Exports the page's data as files for a spreadsheet. */
export function ExportMenu({ view, data }: ExportMenuProps) {
  const { t } = useTranslation('dashboard')
  const seriesName = useSeriesName(view)
  const { quota_per_unit: quotaPerUnit } = useSite()
  const save = (what: string, rows: readonly (readonly CsvCell[])[]) => {
    const day = formatTime(Date.now() / 1000).slice(0, 10)
    saveFile(new Blob([byteOrderMark, ...rows.map(csvLine)], { type: 'text/csv' }), `tollgate-${what}-${day}.csv`)
  }
  const measures = data?.measures
  return (
    <MenuButton
      label={t('export.label')}
      icon={IconDownload}
      hasFrame
      isDisabled={!data}
      items={
        data
          ? [
              {
                id: 'time',
                label: t('export.overTime', { metric: t(`metric.${view.metric}`) }),
                onClick: () =>
                  save(`${view.metric}-by-${view.by}`, overTimeTable(data, view.metric, seriesName, quotaPerUnit)),
              },
              {
                id: 'breakdown',
                label: t('breakdown.title', { grouping: t(`breakdown.by.${view.by}`) }),
                onClick: () => save(`by-${view.by}`, breakdownTable(data, view.by, seriesName, quotaPerUnit)),
              },
              ...(measures
                ? [
                    {
                      id: 'measures',
                      label: t('export.measures'),
                      onClick: () => save('latency', measuresTable(data.times, measures, quotaPerUnit)),
                    },
                  ]
                : []),
            ]
          : []
      }
    />
  )
}
