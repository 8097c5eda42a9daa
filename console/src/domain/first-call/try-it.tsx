import { Anchor, Button, Group, Stack, Text, Textarea, Alert } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useState, lazy, Suspense } from 'react'
import { ApiError } from '@tollgate/contract'

import classes from './first-call.module.css'
import { useFormat } from '../../lib/text/use-format'
import { formatDuration } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import type { SnippetDialect } from '../../lib/text/snippets/snippet-request'
import { TryError } from './try-call'
import { useTry } from './use-try'
import { ErrorText } from '../../lib/api/error-text'

interface TryItProps {
  /** Includes `sk-`. */
  readonly apiKey: string
  readonly model: string
  /** Default: OpenAI's chat completions. */
  readonly dialect?: SnippetDialect
}

/** A first call with the key. */
export function TryIt({ apiKey, model, dialect = 'openai' }: TryItProps) {
  const { t } = useTranslation('first-call')
  const [question, setQuestion] = useState(t('hello'))
  const { quotaInDollars } = useFormat()
  const { trial, start, stop } = useTry()
  const isRunning = trial.kind === 'running'
  return (
    <Stack gap="sm">
      <Textarea
        label={t('question')}
        autosize
        minRows={1}
        maxRows={5}
        value={question}
        onChange={({ currentTarget }) => setQuestion(currentTarget.value)}
      />
      <Group gap="sm">
        {isRunning ? (
          <Button variant="default" leftSection={<IconPlayerStop size={14} />} onClick={stop}>
            {t('stop')}
          </Button>
        ) : (
          <Button
            leftSection={<IconPlayerPlay size={14} />}
            disabled={model === '' || question.trim() === ''}
            onClick={() => void start({ apiKey, model, dialect, question })}
          >
            {t('send')}
          </Button>
        )}
        {trial.kind === 'done' && (
          <Text size="sm" c="dimmed" className="figures">
            {trial.logged
              ? t('tookAndCost', {
                  time: formatDuration(trial.tookMs),
                  cost: quotaInDollars(trial.logged.quota),
                })
              : t('took', { time: formatDuration(trial.tookMs) })}{' '}
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => <Link to="/app/logs/api-usage" search={{ open: trial.logged?.id }} {...props} />}
            >
              {t('log')}
            </Anchor>
          </Text>
        )}
      </Group>
      {trial.kind === 'failed' && <TryFailure error={trial.error} model={model} />}
      {trial.kind !== 'idle' && (trial.text !== '' || isRunning) && (
        <div className={classes.answer} role="log" aria-label={t('answer')} aria-busy={isRunning} tabIndex={0}>
          {trial.text || '…'}
        </div>
      )}
      {trial.kind === 'done' && trial.text === '' && (
        <Text size="sm" c="dimmed">
          {t('empty')}
        </Text>
      )}
    </Stack>
  )
}

const RefusedHelp = lazy(async () => ({ default: (await import('../../components/refused-help')).RefusedHelp }))

interface TryFailureProps {
  readonly error: unknown
  readonly model: string
}

/** The gateway's response to a failed call, and where it is mended. */
function TryFailure({ error, model }: TryFailureProps) {
  const { t } = useTranslation('first-call')
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
