import { useTranslation } from '../../lib/text/i18n'
import { quickRanges, type QuickRange } from '../../lib/url/page-search'
import { RangeChoice } from './range-choice'

/** The times of `rangeSearch` in an address. */
interface RangeSearch {
  readonly range?: QuickRange | undefined
  /** Unix seconds. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

interface QuickRangeFilterProps {
  readonly search: RangeSearch
  readonly onChange: (change: RangeSearch) => void
}

/** The time filter of a list, as in its address; everything by default. */
export function QuickRangeFilter({ search: { range, from, to }, onChange }: QuickRangeFilterProps) {
  const { t } = useTranslation()
  const custom = from === undefined && to === undefined ? undefined : { from, to }
  return (
    <RangeChoice<QuickRange>
      quick={quickRanges.map((value) => ({ value, label: t(`range.quick.${value}`) }))}
      value={custom ?? range ?? 'all'}
      onChange={(value) =>
        onChange(
          typeof value === 'string'
            ? { range: value === 'all' ? undefined : value, from: undefined, to: undefined }
            : { range: undefined, ...value },
        )
      }
    />
  )
}
