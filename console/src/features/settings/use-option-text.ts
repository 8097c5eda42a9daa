import type { OptionKey } from '@tollgate/contract'
import type { i18n as I18n, ParseKeys } from 'i18next'

import { useTranslation } from '../../lib/i18n'

/** The words for an option, by its key. What has none is called by its key. */
export function useOptionText() {
  const { i18n } = useTranslation('options')
  return optionTextIn(i18n)
}

/** The same where the texts of options are known to be loaded. */
export function optionTextIn(i18n: I18n) {
  const isText = (key: string): key is ParseKeys<'options'> => i18n.exists(key, { ns: 'options' })
  const find = (key: string): string | undefined => (isText(key) ? i18n.t(key, { ns: 'options' }) : undefined)
  return {
    label: (key: OptionKey): string => find(`${key}.label`) ?? key,
    help: (key: OptionKey): string | undefined => find(`${key}.help`),
    choice: (key: OptionKey, choice: string): string => find(`${key}.choice.${choice}`) ?? choice,
  }
}
