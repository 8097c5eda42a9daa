import { IconEye, IconInfoCircle } from '@tabler/icons-react'

import { useTranslation } from '../../lib/text/i18n'
import { useSite } from '../../lib/api/status'
import classes from './tokens.module.css'

/** Advice for users of tokens. */
export function TokenNotes() {
  const { t } = useTranslation('tokens')
  const { log_chat_content_enabled: isContentLogged } = useSite()
  return (
    <div className={classes.notes}>
      {isContentLogged && (
        <div className={classes.banner} role="status">
          <IconEye size={18} />
          {t('note.contentLogged')}
        </div>
      )}
      <div className={classes.note}>
        <IconInfoCircle size={15} />
        {t('note.personal')}
      </div>
    </div>
  )
}
