import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

import { MenuButton } from '../../components/menu-button'
import { useTranslation } from '../../lib/text/i18n'

export const themeChoices = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const

export function ThemeMenu() {
  const { t } = useTranslation('shell')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme() === 'dark'
  return (
    <MenuButton
      label={t('theme.label')}
      icon={isDark ? IconMoon : IconSun}
      items={themeChoices.map(({ scheme, icon }) => ({
        id: scheme,
        label: t(`theme.${scheme}`),
        icon,
        isChosen: colorScheme === scheme,
        onClick: () => setColorScheme(scheme),
      }))}
    />
  )
}
