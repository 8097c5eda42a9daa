import { useTranslation } from 'react-i18next'

import type { OptionKey } from '@tollgate/contract'
import type { Fault } from './option-value'
import { useOptionText } from './use-option-text'

/** Sentences for what is wrong with an option. */
export function useFaultText() {
  const { t, i18n } = useTranslation('settings')
  const { label } = useOptionText()
  const reason = ({ reason: name, limit, place }: Fault) => {
    const sentence = t(`fault.${name}`, { limit })
    return place === undefined ? sentence : t('fault.at', { place, sentence })
  }
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' })
  return (fault: Fault | undefined, missing: readonly OptionKey[]): string | undefined => {
    if (fault) return reason(fault)
    return missing.length > 0 ? t('fault.missing', { names: list.format(missing.map(label)) }) : undefined
  }
}
