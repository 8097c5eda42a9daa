import { priceClasses, type PriceClass } from '@tollgate/contract'

import { usePriceWords } from '../../../domain/price/use-price-words'
import { useTranslation } from '../../../lib/text/i18n'
import { tokensText } from '../../../lib/text/tokens-text'

const known: ReadonlySet<string> = new Set(priceClasses)
const isClass = (name: string): name is PriceClass => known.has(name)

/** Returns the name of a proposal's field: `Input`, `Output above 200k`, `Priority: factor`. */
export function useFieldName(): (field: string) => string {
  const { t } = useTranslation('price-sync')
  const { className, modeName } = usePriceWords()
  const classOf = (name: string) => (isClass(name) ? className(name) : name)
  return (field) => {
    const [part = '', which = '', name = ''] = field.split(':')
    if (part === '') return t('field.whole')
    if (part === 'kind' || part === 'schedules') return t(`field.${part}`)
    if (part === 'tier') return t('field.tier', { name: classOf(name), tokens: tokensText(Number(which)) })
    if (part !== 'mode') return classOf(part)
    const mode = modeName({ name: which })
    if (name === '') return t('field.mode', { mode })
    return t('field.modePart', { mode, name: name === 'factor' ? t('field.factor') : classOf(name) })
  }
}
