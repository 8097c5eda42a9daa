import { Alert, Text } from '@mantine/core'
import { ApiError } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { ErrorText } from '../../lib/error-text'
import { TryError } from './try-call'

/** What the gateway answered a call that failed. */
export function TryFailure({ error }: { readonly error: unknown }) {
  const { t } = useTranslation(['tokens', 'common'])
  if (!(error instanceof TryError))
    return (
      <Alert color="red" p="xs">
        {t('common:error.network')}
      </Alert>
    )
  const { message, status, code, requestId } = error
  return (
    <Alert color="red" p="xs" role="alert">
      <ErrorText error={new ApiError(message, status, undefined, requestId)} />
      <Text size="xs" c="dimmed" ff="monospace">
        {[status, code].filter(Boolean).join(' · ')}
      </Text>
    </Alert>
  )
}
