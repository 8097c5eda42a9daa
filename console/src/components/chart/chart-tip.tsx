import { useTranslation } from '../../lib/text/i18n'
import classes from './chart.module.css'
import { readingsAt, type ChartSeries } from './series'

interface ChartTipProps {
  readonly title: string
  readonly series: readonly ChartSeries[]
  readonly index: number
  readonly format: (value: number) => string
  readonly isStacked: boolean
  /** Left edge and width of the time's band, and width of the chart, in pixels. */
  readonly left: number
  readonly band: number
  readonly width: number
}

const maxRows = 10
/** Shown for gaps in lines. */
const noValue = '–'

/** The values at one time, placed beside its band so that it does not cover it. */
export function ChartTip({ title, series, index, format, isStacked, left, band, width }: ChartTipProps) {
  const { t } = useTranslation()
  const { total, rows } = readingsAt(series, index)
  const isOnTheLeft = left + band / 2 > width / 2
  const place = isOnTheLeft ? { right: width - left + 8 } : { left: left + band + 8 }
  const isSummed = isStacked && series.length > 1
  return (
    <div className={classes.tip} style={place} role="status">
      <div className={classes.tipTitle}>{title}</div>
      {(isSummed || rows.length === 0) && (
        <div className={classes.tipRow} data-is-total>
          <span>{isStacked && t('chart.total')}</span>
          <span>{isStacked ? format(total) : noValue}</span>
        </div>
      )}
      {rows.slice(0, maxRows).map(({ name, value, color }) => (
        <div key={name} className={classes.tipRow}>
          <span className={classes.swatch} style={{ background: color }} />
          <span className={classes.tipName}>{name}</span>
          <span>{format(value)}</span>
        </div>
      ))}
      {rows.length > maxRows && (
        <div className={classes.tipMore}>{t('chart.more', { count: rows.length - maxRows })}</div>
      )}
    </div>
  )
}
