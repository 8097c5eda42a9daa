import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { useTranslation } from '../lib/i18n'
import { StateMessage } from './state-message'

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <StateMessage
      icon={IconMapOff}
      title={t('notFound.title')}
      hint={t('notFound.hint')}
      isBarred
      isPage
      action={
        <Button component={Link} to="/">
          {t('notFound.home')}
        </Button>
      }
    />
  )
}
