import { Alert } from '@mantine/core'
import { IconEye, IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { useSite } from '../../lib/status'
import classes from './tokens.module.css'

/** What everyone with a token should know. */
export function TokenNotes() {
  const { t } = useTranslation('tokens')
  const { log_chat_content_enabled: isContentLogged } = useSite()
  return (
    <div className={classes.notes}>
      {isContentLogged && (
        <Alert variant="outline" color="yellow" icon={<IconEye size={18} />} p="xs">
          {t('note.contentLogged')}
        </Alert>
      )}
      <div className={classes.note}>
        <IconInfoCircle size={15} />
        {t('note.personal')}
      </div>
    </div>
  )
}
