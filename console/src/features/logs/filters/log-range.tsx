import { RangeChoice } from '../../../components/time-range/range-choice'
import { useTranslation } from '../../../lib/text/i18n'
import { quickRanges, type LogSearch, type QuickRange } from '../log-search'

type Range = Pick<LogSearch, 'range' | 'from' | 'to'>

interface LogRangeProps {
  readonly search: Range
  readonly onChange: (change: Range) => void
}

/** The time range; by default today. */
export function LogRange({ search: { range = 'today', from, to }, onChange }: LogRangeProps) {
  const { t } = useTranslation('logs')
  const isCustom = from !== undefined || to !== undefined
  return (
    <RangeChoice<QuickRange>
      quick={quickRanges.map((value) => ({ value, label: t(`range.${value}`) }))}
      value={isCustom ? { from, to } : range}
      onChange={(chosen) =>
        onChange(
          typeof chosen === 'string'
            ? { range: chosen === 'today' ? undefined : chosen, from: undefined, to: undefined }
            : { ...chosen, range: undefined },
        )
      }
    />
  )
}
