import { Alert, Text } from '@mantine/core'
import { ApiError } from '@tollgate/contract'

import { ErrorText } from '../../lib/error-text'
import { useTranslation } from '../../lib/i18n'
import { TryError } from './try-call'

/** The gateway's response to a failed call. */
export function TryFailure({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('tokens')
  if (!(error instanceof TryError))
    return (
      <Alert variant="outline" color="red" p="xs">
        {t('common:error.network')}
      </Alert>
    )
  const { message, status, code } = error
  // Most of the gateway's sentences already contain it.
  const requestId = error.requestId && message.includes(error.requestId) ? undefined : error.requestId
  return (
    <Alert variant="outline" color="red" p="xs">
      <ErrorText error={new ApiError(message, status, undefined, requestId)} />
      <Text size="xs" c="dimmed" ff="monospace">
        {[status, code].filter(Boolean).join(' · ')}
      </Text>
    </Alert>
  )
}
