import { useTranslation } from '../../lib/text/i18n'
import { Tick } from './tick'
import type { Selection } from './types'

interface SelectAllProps {
  /** Keys of the rows on this page. */
  readonly keys: readonly string[]
  readonly selection: Pick<Selection<never>, 'selected' | 'onChange'>
}

/** Selects all rows of this page or none. */
export function SelectAll({ keys, selection: { selected, onChange } }: SelectAllProps) {
  const { t } = useTranslation()
  const isAll = keys.length > 0 && keys.every((key) => selected.has(key))
  return (
    <Tick
      aria-label={t('table.selectAll')}
      checked={isAll}
      isPartial={!isAll && keys.some((key) => selected.has(key))}
      onChange={() => onChange(new Set(isAll ? [] : keys))}
    />
  )
}

/** Returns the selection with this row toggled. */
export function toggled(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(key)) next.add(key)
  return next
}
