import type { OptionKey } from '@tollgate/contract'

import { hasText, translate, useTranslation } from '../../lib/i18n'

/** The words for an option, by its key. What has none is called by its key. */
export function useOptionText() {
  useTranslation('options')
  return optionTexts
}

const find = (key: string): string | undefined => (hasText('options', key) ? translate(`options:${key}`) : undefined)

/** The same where the texts of options are known to be loaded. */
export const optionTexts = {
  label: (key: OptionKey): string => find(`${key}.label`) ?? key,
  help: (key: OptionKey): string | undefined => find(`${key}.help`),
  choice: (key: OptionKey, choice: string): string => find(`${key}.choice.${choice}`) ?? choice,
}
