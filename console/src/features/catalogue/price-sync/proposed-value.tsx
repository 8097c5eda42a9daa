import { priceClasses, type priceSyncRoutes } from '@tollgate/contract'

import { usePriceWords } from '../../../domain/price/use-price-words'
import { useTranslation } from '../../../lib/text/i18n'
import { exactPriceText } from '../../../lib/text/prices'

interface ProposedValueProps {
  readonly field: string
  readonly value: priceSyncRoutes.ProposedValue | null
}

const none = '–'

/** A price, a factor, a mode or hours, in short form. */
export function ProposedValue({ field, value }: ProposedValueProps) {
  const { t } = useTranslation('price-sync')
  const { factor, className } = usePriceWords()
  if (value === null) return <span aria-label={t('value.none')}>{none}</span>
  if (typeof value === 'number') return field.endsWith(':factor') ? factor(value) : exactPriceText(value)
  if (typeof value === 'string') return value === 'tokens' ? t('value.tokens') : t('value.unit')
  if (Array.isArray(value))
    return value.map((span) => `${span.from}–${span.to} ${span.zone} ${factor(span.factor)}`).join(', ')
  const { prices = {} } = value
  const shown = priceClasses.flatMap((name) => {
    const price = prices[name]
    return price === undefined ? [] : `${className(name)} ${exactPriceText(price)}`
  })
  return [...(value.factor === undefined ? [] : [factor(value.factor)]), ...shown].join(', ')
}
