import { Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useState } from 'react'

import { formatDuration } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { TryFailure } from './try-failure'
import classes from './tokens.module.css'
import { useTry } from './use-try'

interface TryItProps {
  /** Includes `sk-`. */
  readonly apiKey: string
  readonly model: string
}

/** A first call with the key. */
export function TryIt({ apiKey, model }: TryItProps) {
  const { t } = useTranslation('tokens')
  const [question, setQuestion] = useState(t('try.hello'))
  const { quotaInDollars } = useFormat()
  const { trial, start, stop } = useTry()
  const isRunning = trial.kind === 'running'
  return (
    <Stack gap="sm">
      <Textarea
        label={t('try.question')}
        autosize
        minRows={1}
        maxRows={5}
        value={question}
        onChange={({ currentTarget }) => setQuestion(currentTarget.value)}
      />
      <Group gap="sm">
        {isRunning ? (
          <Button variant="default" leftSection={<IconPlayerStop size={14} />} onClick={stop}>
            {t('try.stop')}
          </Button>
        ) : (
          <Button
            leftSection={<IconPlayerPlay size={14} />}
            disabled={model === '' || question.trim() === ''}
            onClick={() => void start({ apiKey, model, question })}
          >
            {t('try.send')}
          </Button>
        )}
        {trial.kind === 'done' && (
          <Text size="sm" c="dimmed" className="figures">
            {trial.logged
              ? t('try.tookAndCost', {
                  time: formatDuration(trial.tookMs),
                  cost: quotaInDollars(trial.logged.quota),
                })
              : t('try.took', { time: formatDuration(trial.tookMs) })}{' '}
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => <Link to="/app/logs/api-usage" search={{ open: trial.logged?.id }} {...props} />}
            >
              {t('try.log')}
            </Anchor>
          </Text>
        )}
      </Group>
      {trial.kind === 'failed' && <TryFailure error={trial.error} model={model} />}
      {trial.kind !== 'idle' && (trial.text !== '' || isRunning) && (
        <div className={classes.answer} role="log" aria-label={t('try.answer')} aria-busy={isRunning}>
          {trial.text || '…'}
        </div>
      )}
      {trial.kind === 'done' && trial.text === '' && (
        <Text size="sm" c="dimmed">
          {t('try.empty')}
        </Text>
      )}
    </Stack>
  )
}
