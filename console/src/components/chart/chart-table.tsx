import { useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import classes from './chart.module.css'
import type { ChartSeries } from './series'

interface ChartTableProps {
  readonly label: string
  readonly times: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly format: (value: number) => string
}

/** The chart's values as a table, rendered on request: a long chart has thousands of them. */
export function ChartTable({ label, times, series, format }: ChartTableProps) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  return (
    <>
      <button
        type="button"
        className={classes.tableButton}
        aria-expanded={isShown}
        onClick={() => setShown((shown) => !shown)}
      >
        {t(isShown ? 'chart.hideTable' : 'chart.showTable')}
      </button>
      {isShown && (
        <div className={classes.tableFrame} tabIndex={0} role="region" aria-label={label}>
          <table className={classes.table}>
            <caption>{label}</caption>
            <thead>
              <tr>
                <th scope="col">{t('chart.time')}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, index) => (
                <tr key={time}>
                  <th scope="row">{time}</th>
                  {series.map(({ name, values }) => (
                    <td key={name}>{values[index] === null ? '–' : format(values[index] ?? 0)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
