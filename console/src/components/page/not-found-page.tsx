import { IconMapOff } from '@tabler/icons-react'

import { useTranslation } from '../../lib/text/i18n'
import { DeadEnd } from './state-message'

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <DeadEnd
      icon={IconMapOff}
      title={t('notFound.title')}
      hint={t('notFound.hint')}
      to="/"
      action={t('notFound.home')}
    />
  )
}
