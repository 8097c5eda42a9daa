import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconDownload, IconPlayerStopFilled } from '@tabler/icons-react'

import { Money } from '../../../domain/money'
import { Tip } from '../../../components/tip'
import { formatDuration } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useNow } from '../../../lib/text/use-now'
import { AnswerFailure } from '../turns/answer-failure'
import classes from './studio.module.css'
import type { ImageRun } from './use-image-runs'

interface ImageRunViewProps {
  readonly run: ImageRun
  readonly onStop: () => void
  readonly onRetry: () => void
}

/** A request, its images, and what they cost. */
export function ImageRunView({ run, onStop, onRetry }: ImageRunViewProps) {
  const { t } = useTranslation('playground')
  const { request, images, failure, tookMs, requestId, quota } = run
  const isMaking = !images && !failure
  return (
    <li className={classes.run}>
      <p className={classes.prompt}>{request.prompt}</p>
      {isMaking && <Making run={run} onStop={onStop} />}
      {failure && <AnswerFailure failure={failure} model={request.model} onRetry={onRetry} />}
      {images && (
        <ul className={classes.images}>
          {images.map((image, index) => (
            <RunImage key={index} image={image} number={index + 1} prompt={request.prompt} />
          ))}
        </ul>
      )}
      <div className={classes.facts}>
        <span>{request.model}</span>
        {tookMs !== undefined && <span className="figures">{formatDuration(tookMs)}</span>}
        {quota !== undefined && <Money quota={quota} />}
        {requestId && (
          <Link to="/app/logs/api-usage" search={{ request: requestId }}>
            {t('fact.request', { id: requestId })}
          </Link>
        )}
      </div>
    </li>
  )
}

interface RunImageProps {
  readonly image: string
  readonly number: number
  readonly prompt: string
}

function RunImage({ image, number, prompt }: RunImageProps) {
  const { t } = useTranslation('playground')
  const label = t('studio.save', { number })
  return (
    <li className={classes.image}>
      <img src={image} alt={prompt} referrerPolicy="no-referrer" />
      <Tip label={label}>
        <a
          className={classes.save}
          href={image}
          download={`image-${number}`}
          target="_blank"
          rel="noreferrer noopener"
          aria-label={label}
        >
          <IconDownload size={17} />
        </a>
      </Tip>
    </li>
  )
}

const tickMs = 1_000

function Making({ run: { startedAt }, onStop }: Pick<ImageRunViewProps, 'run' | 'onStop'>) {
  const { t } = useTranslation('playground')
  const now = useNow(tickMs)
  return (
    <div className={classes.making} role="status">
      <Text size="sm" c="dimmed" className="figures">
        {t('studio.making', { duration: formatDuration(Math.max(Math.floor((now - startedAt) / 1000), 0) * 1000) })}
      </Text>
      <Button variant="default" leftSection={<IconPlayerStopFilled size={12} />} onClick={onStop}>
        {t('compose.stop')}
      </Button>
    </div>
  )
}
