import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'

import { useTranslation } from '../../lib/text/i18n'
import { endViewing, type ViewedUser } from '../../lib/api/session'
import classes from './offline-banner.module.css'

/** Names the user whose view is shown, on every page. */
export function ViewingBanner({ user }: { readonly user: ViewedUser }) {
  const { t } = useTranslation('shell')
  return (
    <div role="status" className={classes.banner}>
      <IconEye size={18} stroke={1.7} aria-hidden />
      {t('viewing.text', { name: user.username })}
      <Button variant="default" onClick={endViewing}>
        {t('viewing.end')}
      </Button>
    </div>
  )
}
