import { IconMessage2 } from '@tabler/icons-react'

import { StateMessage } from '../../../components/page/state-message'
import { useTranslation } from '../../../lib/text/i18n'

export function EmptyConversation() {
  const { t } = useTranslation('playground')
  return <StateMessage icon={IconMessage2} title={t('empty.title')} hint={t('empty.hint')} />
}
