import { IconPhotoOff } from '@tabler/icons-react'
import type { taskRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { CopyButton } from '../../components/copy-button'
import { useTranslation } from '../../lib/text/i18n'
import { mediaAddress } from './media-address'
import classes from './task-results.module.css'

type Result = taskRoutes.TaskResult

/** What a task made, to look at and listen to. Sound and film load when they are played. */
export function TaskResults({ results }: { readonly results: readonly Result[] }) {
  return (
    <ul className={classes.media}>
      {results.map((result, index) => (
        <li key={`${index} ${result.url}`} data-is-wide={result.kind !== 'image' || results.length === 1 || undefined}>
          {result.title && <p className={classes.mediaTitle}>{result.title}</p>}
          <Media result={result} number={index + 1} />
          {result.text && <ReadableText text={result.text} />}
        </li>
      ))}
    </ul>
  )
}

interface MediaProps {
  readonly result: Result
  readonly number: number
}

function Media({ result: { kind, url, title }, number }: MediaProps) {
  const { t } = useTranslation('tasks')
  const [isLost, setLost] = useState(false)
  const address = mediaAddress(url)
  if (kind === 'text' || !address) return null
  if (isLost)
    return (
      <div className={classes.lost}>
        <IconPhotoOff size={18} aria-hidden /> {t('gone')}
      </div>
    )
  const name = title || t('resultNumber', { kind: t(`kind.${kind}`), number })
  if (kind === 'image')
    return (
      <a className={classes.picture} href={address} target="_blank" rel="noreferrer noopener">
        <img src={address} alt={name} referrerPolicy="no-referrer" onError={() => setLost(true)} />
      </a>
    )
  const played = {
    src: address,
    controls: true,
    preload: 'none',
    onError: () => setLost(true),
    'aria-label': name,
  } as const
  return kind === 'audio' ? (
    <audio className={classes.player} {...played} />
  ) : (
    <video className={classes.video} playsInline {...played} />
  )
}

/** A text with line breaks, and a button that copies it. */
export function ReadableText({ text, isBad = false }: { readonly text: string; readonly isBad?: boolean }) {
  return (
    <div className={classes.textWithCopy}>
      <p className={classes.text} data-is-bad={isBad || undefined}>
        {text}
      </p>
      <CopyButton text={text} />
    </div>
  )
}
