import { Alert, Text } from '@mantine/core'
import { ApiError } from '@tollgate/contract'
import { lazy, Suspense } from 'react'

import { ErrorText } from '../../lib/api/error-text'
import { useTranslation } from '../../lib/text/i18n'
import { TryError } from './try-call'

const RefusedHelp = lazy(async () => ({ default: (await import('../../components/refused/refused-help')).RefusedHelp }))

interface TryFailureProps {
  readonly error: unknown
  readonly model: string
}

/** The gateway's response to a failed call, and where it is mended. */
export function TryFailure({ error, model }: TryFailureProps) {
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
      <Suspense>
        <RefusedHelp code={code} model={model} />
      </Suspense>
    </Alert>
  )
}
