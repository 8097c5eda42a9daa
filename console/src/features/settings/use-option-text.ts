import type { OptionKey } from '@tollgate/contract'
import type { ParseKeys } from 'i18next'
import { useTranslation } from 'react-i18next'

/** The words for an option, by its key. What has none is called by its key. */
export function useOptionText() {
  const { t, i18n } = useTranslation('options')
  const isText = (key: string): key is ParseKeys<'options'> => i18n.exists(key, { ns: 'options' })
  const find = (key: string): string | undefined => (isText(key) ? t(key) : undefined)
  return {
    label: (key: OptionKey): string => find(`${key}.label`) ?? key,
    help: (key: OptionKey): string | undefined => find(`${key}.help`),
    choice: (key: OptionKey, choice: string): string => find(`${key}.choice.${choice}`) ?? choice,
  }
}
