import { Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'

import { useTranslation } from '../../lib/text/i18n'
import { leaveSafeMode } from '../../lib/browser/safe-mode'
import classes from './offline-banner.module.css'

/** Explains why the site's own styles and scripts are off in this tab. */
export function SafeBanner() {
  const { t } = useTranslation('shell')
  return (
    <div role="status" className={classes.banner}>
      <IconShieldCheck size={18} stroke={1.7} aria-hidden />
      {t('safeMode.text')}
      <Button variant="default" onClick={leaveSafeMode}>
        {t('safeMode.leave')}
      </Button>
    </div>
  )
}
