import { optionOf, type OptionKey, type OptionSection } from '@tollgate/contract'

import { findText, useTranslation } from '../../lib/text/i18n'
import { settingsPages } from './settings-pages'
import { allOptionTexts, optionTextsOf, type OptionTexts } from './settings-search'

const areas: ReadonlyMap<OptionSection, OptionTexts> = new Map(
  settingsPages.flatMap(({ name, sections }) => sections.map((section) => [section, optionTextsOf(name)] as const)),
)

const areaOf = (key: OptionKey): OptionTexts | undefined => areas.get(optionOf(key).section)

/** Texts of options by key: those near one option, or all. An option without a text is named by its key. */
export function useOptionText(key?: OptionKey) {
  const area = key && areaOf(key)
  useTranslation('settings', ...(area ? [area] : allOptionTexts))
  return optionTexts
}

function find(key: OptionKey, part: string): string | undefined {
  const area = areaOf(key)
  return area && findText(area, part)
}

/** The same where the texts of options are known to be loaded. */
export const optionTexts = {
  label: (key: OptionKey): string => find(key, `${key}.label`) ?? key,
  help: (key: OptionKey): string | undefined => find(key, `${key}.help`),
  /** An example value. */
  example: (key: OptionKey): string | undefined => find(key, `${key}.example`),
  choice: (key: OptionKey, choice: string): string => find(key, `${key}.choice.${choice}`) ?? choice,
}
