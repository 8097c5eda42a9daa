import { Alert, Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import type { Failure } from '../session/session'

const RefusedHelp = lazy(async () => ({
  default: (await import('../../../components/refused-help')).RefusedHelp,
}))

interface AnswerFailureProps {
  readonly failure: Failure
  readonly model: string
  readonly onRetry: () => void
}

/** Why a response failed, in the words of the refusing server, and a retry button. */
export function AnswerFailure({ failure, model, onRetry }: AnswerFailureProps) {
  const { t } = useTranslation('playground')
  const { kind, message, status, code } = failure
  const words = kind === 'refused' && message ? message : t(`failure.${kind}`)
  // The request id is below, where it can be copied.
  const facts = [status, code].filter(Boolean)
  return (
    <Alert variant="outline" color="red" bd="1px solid var(--bad)" p="xs" role="alert" mt={6}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {words}
      </Text>
      {facts.length > 0 && (
        <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {facts.join(' · ')}
        </Text>
      )}
      <Suspense>
        <RefusedHelp code={code} model={model} />
      </Suspense>
      {kind === 'signed-out' ? (
        <Button variant="default" mt={8} component={Link} to="/login">
          {t('login')}
        </Button>
      ) : (
        <Button variant="default" mt={8} onClick={onRetry}>
          {t('common:retry')}
        </Button>
      )}
    </Alert>
  )
}
