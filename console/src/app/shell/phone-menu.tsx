import { Drawer } from '@mantine/core'

import { FocusBack } from '../../components/focus-back'
import { useTranslation } from '../../lib/text/i18n'
import { Brand } from './brand'
import { MenuLinks } from './menu-links'

/** The pages of the top bar and the side menu, on narrow screens. */
export function PhoneMenu({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('shell')
  return (
    <Drawer opened onClose={onClose} size={280} title={<Brand />} closeButtonProps={{ 'aria-label': t('menu.close') }}>
      <FocusBack />
      <nav aria-label={t('menu.label')}>
        <MenuLinks hasTopPages isCollapsed={false} />
      </nav>
    </Drawer>
  )
}
