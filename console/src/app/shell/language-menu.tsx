import { IconLanguage } from '@tabler/icons-react'

import { MenuButton } from '../../components/menu-button'
import { chooseLanguage, useTranslation } from '../../lib/i18n'
import { languages, type Language } from '../../lib/language'

/** Each in its own words, so that whoever needs it can read it. */
export const languageNames: Record<Language, string> = { zh: '中文', en: 'English' }

export function LanguageMenu() {
  const { t, language: current } = useTranslation('shell')
  return (
    <MenuButton
      label={t('language')}
      icon={IconLanguage}
      items={languages.map((language) => ({
        id: language,
        label: languageNames[language],
        lang: language,
        isChosen: language === current,
        onClick: () => void chooseLanguage(language),
      }))}
    />
  )
}
