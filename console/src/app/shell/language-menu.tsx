import { IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { MenuButton } from '../../components/menu-button'
import { chooseLanguage } from '../../lib/i18n'
import { languageOf, languages, type Language } from '../../lib/language'

/** Each in its own words, so that whoever needs it can read it. */
export const languageNames: Record<Language, string> = { zh: '中文', en: 'English' }

export function LanguageMenu() {
  const { t, i18n } = useTranslation('shell')
  return (
    <MenuButton
      label={t('language')}
      icon={IconLanguage}
      items={languages.map((language) => ({
        id: language,
        label: languageNames[language],
        lang: language,
        isChosen: languageOf(i18n.language) === language,
        onClick: () => void chooseLanguage(language),
      }))}
    />
  )
}
