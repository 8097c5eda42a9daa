import { IconMessage2 } from '@tabler/icons-react'

import { StateMessage } from '../../../components/state-message'
import { useTranslation } from '../../../lib/i18n'
import classes from './turns.module.css'

export function EmptyConversation() {
  const { t } = useTranslation('playground')
  return (
    <div className={classes.empty}>
      <StateMessage icon={IconMessage2} title={t('empty.title')} hint={t('empty.hint')} />
    </div>
  )
}
