import { optionOf, sectionPrerequisites, type OptionKey } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import type { Fault } from './option-value'
import { useOptionText } from './use-option-text'

/** Returns sentences for faults of an option. */
export function useFaultText(key: OptionKey) {
  const { t, language } = useTranslation('settings')
  const { label } = useOptionText(key)
  const reason = ({ reason: name, limit, place }: Fault) => {
    const sentence = t(`fault.${name}`, { limit })
    return place === undefined ? sentence : t('fault.at', { place, sentence })
  }
  const list = new Intl.ListFormat(language, { type: 'conjunction' })
  return (fault: Fault | undefined, missing: readonly OptionKey[]): string | undefined => {
    if (fault) return reason(fault)
    if (missing.length === 0) return undefined
    const needed = sectionPrerequisites[optionOf(key).section]?.needs ?? []
    // It is on another page, whose texts may not be loaded.
    if (missing.some((one) => needed.includes(one))) return t('fault.serverAddress')
    return t('fault.missing', { names: list.format(missing.map(label)) })
  }
}
