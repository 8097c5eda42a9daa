import type { planRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'

type Term = Pick<planRoutes.PlanEntity, 'length' | 'unit'>

/** Returns the words for plans. */
export function usePlanText() {
  const { t } = useTranslation('plan')
  const { money } = useFormat()
  const formOf = ({ length, unit }: Term) => (length === 1 ? (`each.${unit}` as const) : (`every.${unit}` as const))
  return {
    /** "3 months". */
    term: ({ length, unit }: Term) => t(`term.${unit}`, { count: length }),
    /** "per month". */
    perTerm: (term: Term) => t(`per.${formOf(term)}`, { count: term.length }),
    amount: (quota: number) => (quota === 0 ? t('price.free') : money(quota)),
    /** "$20.00 per month". */
    price: ({ price, ...term }: Term & Pick<planRoutes.PlanEntity, 'price'>) =>
      price === 0 ? t('price.free') : t(`price.${formOf(term)}`, { price: money(price), count: term.length }),
  }
}
