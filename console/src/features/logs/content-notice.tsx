import { Text } from '@mantine/core'

import { useTranslation } from '../../lib/text/i18n'
import { useSite } from '../../lib/api/status'

/** Tells callers whether others can read their conversations. */
export function ContentNotice() {
  const { t } = useTranslation('logs')
  const { log_chat_content_enabled: isRead } = useSite()
  if (!isRead) return null
  return (
    <Text size="sm" c="dimmed" mb="sm">
      {t('contentNotice')}
    </Text>
  )
}
