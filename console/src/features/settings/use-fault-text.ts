import type { OptionKey } from '@tollgate/contract'
import { useTranslation } from '../../lib/i18n'
import type { Fault } from './option-value'
import { useOptionText } from './use-option-text'

/** Sentences for what is wrong with an option. */
export function useFaultText() {
  const { t, language } = useTranslation('settings')
  const { label } = useOptionText()
  const reason = ({ reason: name, limit, place }: Fault) => {
    const sentence = t(`fault.${name}`, { limit })
    return place === undefined ? sentence : t('fault.at', { place, sentence })
  }
  const list = new Intl.ListFormat(language, { type: 'conjunction' })
  return (fault: Fault | undefined, missing: readonly OptionKey[]): string | undefined => {
    if (fault) return reason(fault)
    return missing.length > 0 ? t('fault.missing', { names: list.format(missing.map(label)) }) : undefined
  }
}
