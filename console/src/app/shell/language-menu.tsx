import { IconLanguage } from '@tabler/icons-react'

import { MenuButton } from '../../components/menu-button'
import { chooseAccountLanguage } from '../../lib/api/choose-account-language'
import { useTranslation } from '../../lib/text/i18n'
import { languageNames, languages } from '../../lib/text/language'

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
        onClick: () => void chooseAccountLanguage(language),
      }))}
    />
  )
}
