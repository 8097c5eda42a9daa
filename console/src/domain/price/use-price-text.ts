import {
  modeFields,
  priceClassNames,
  unitClasses,
  type PriceClass,
  type PriceMode,
  type PriceSchedule,
} from '@tollgate/contract'

import { capitalize, formatDecimal } from '../../lib/text/format'
import { findText, useTranslation } from '../../lib/text/i18n'
import { type Hours, unitOf } from '../../lib/text/price-entry/billing'

/** Describes the parts of a price entry in the reader's language. */
export function usePriceText() {
  const { t, language } = useTranslation('price-entry')
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  // 2024-01-01 was a Monday.
  const dayName = (day: number) => weekday.format(Date.UTC(2024, 0, day))
  const daysText = (days: readonly number[]) => {
    const inOrder = days.toSorted((one, other) => one - other)
    const [first, last] = [inOrder[0] ?? 1, inOrder.at(-1) ?? 1]
    if (inOrder.length === 7) return t('everyDay')
    if (inOrder.length > 2 && last - first === inOrder.length - 1)
      return t('days', { first: dayName(first), last: dayName(last) })
    return inOrder.map(dayName).join(t('listComma'))
  }
  const spanText = ({ from, to }: Pick<PriceSchedule, 'from' | 'to'>) =>
    from === to ? t('allDay') : `${from}–${to === '00:00' ? '24:00' : to}`
  const className = (name: PriceClass) => priceClassNames[name][language]
  const per = (name: PriceClass) => {
    const unit = unitOf(name)
    return unit === 'million-tokens' ? '' : t('perUnit', { unit: t(`unit.${unit}`) })
  }
  return {
    className,
    /** Returns `per image`, for example; empty for tokens, the usual unit. */
    per,
    /** Returns the label of a price's field: a class of tokens, or `Per image`. */
    fieldName: (name: PriceClass) => (isUnit(name) ? capitalize(per(name)) : className(name)),
    modeName: ({ name }: Pick<PriceMode, 'name'>) => findText('price-entry', `mode.${name}`) ?? name,
    /** Describes when a mode applies. */
    when: ({ match }: Pick<PriceMode, 'match'>) =>
      modeFields
        .flatMap((field) => (match[field] === undefined ? [] : [t(`when.${field}`, { value: match[field] })]))
        .join(t('listComma')),
    scheduleName: ({ name }: Pick<PriceSchedule, 'name'>) => findText('price-entry', `schedule.${name}`) ?? name,
    /** Returns `Mon to Fri 00:00–01:00, 04:00–06:00`, a line for each set of days. */
    hours: ({ spans }: Hours): string[] => {
      const byDays = Map.groupBy(spans, ({ days }) => days.join(''))
      return [...byDays.values()].map(
        (some) => `${daysText(some[0]?.days ?? [])} ${some.map(spanText).join(t('listComma'))}`,
      )
    },
    factor: (factor: number) => `×${formatDecimal(factor, 4)}`,
  }
}

const units: ReadonlySet<PriceClass> = new Set(unitClasses)
const isUnit = (name: PriceClass) => units.has(name)
