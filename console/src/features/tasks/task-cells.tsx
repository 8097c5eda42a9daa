import { IconLoader2, IconMusic, IconPhoto, IconPhotoOff, IconPlayerPlay, IconTextCaption } from '@tabler/icons-react'
import { useState } from 'react'

import classes from './tasks.module.css'
import { Money } from '../../domain/money'
import { StatusBadge, type Tone } from '../../components/status-badge'
import { mediaAddress } from '../../domain/task-results/media-address'
import { Tip } from '../../components/tip'
import { formatDuration } from '../../lib/text/format'
import { useTranslation, findText } from '../../lib/text/i18n'
import { useNow } from '../../lib/text/use-now'
import { isBatch, isOpen, isSlow, secondsOf, type Task } from './task'

interface CellProps {
  readonly task: Task
}

/** The state, and how far the task is while it runs. */
export function StatusCell({ task }: CellProps) {
  const { t } = useTranslation('tasks')
  const name = statusName(task.status)
  return (
    <span className={classes.status}>
      <StatusBadge tone={toneOf(task.status)}>{name}</StatusBadge>
      {task.status === 'IN_PROGRESS' && task.percent !== null && (
        <span className={classes.progress}>
          <span
            className={classes.track}
            role="progressbar"
            aria-label={t('progressOf', { name: task.taskId })}
            aria-valuenow={task.percent}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <span style={{ width: `${task.percent}%` }} />
          </span>
          <span className="figures">{`${task.percent}%`}</span>
        </span>
      )}
    </span>
  )
}

/** How long it took, red above a minute where that is long; how long it has been running, while it runs. */
export function DurationCell({ task }: CellProps) {
  const seconds = secondsOf(task)
  if (seconds !== undefined && isBatch(task)) return <span className="figures">{formatDuration(seconds * 1000)}</span>
  if (seconds !== undefined) return <Duration seconds={seconds} />
  return isOpen(task) && task.submittedAt > 0 ? <RunningFor since={task.submittedAt} /> : null
}

const Duration = ({ seconds }: { readonly seconds: number }) => (
  <span className={`figures ${classes.duration}`} data-is-slow={isSlow(seconds) || undefined}>
    {formatDuration(seconds * 1000)}
  </span>
)

const tickMs = 1_000

function RunningFor({ since }: { readonly since: number }) {
  const { t } = useTranslation('tasks')
  const now = useNow(tickMs) / 1000
  return (
    <Tip label={t('running')}>
      <span className={`figures ${classes.running}`}>
        {formatDuration(Math.max(Math.floor(now - since), 0) * 1000)}
      </span>
    </Tip>
  )
}

/** What it cost, or what is held for it until it has ended. */
export function CostCell({ task }: CellProps) {
  const { t } = useTranslation('tasks')
  if (!isOpen(task)) return <Money quota={task.quota} />
  if (task.held === 0) return null
  return (
    <span className={classes.held}>
      <Money quota={task.held} /> {t('held')}
    </span>
  )
}

const icons = { image: IconPhoto, video: IconPlayerPlay, audio: IconMusic, text: IconTextCaption } as const

/** A small picture of what came, or its kind. The panel has it in full. */
export function ResultCell({ task }: CellProps) {
  const { t } = useTranslation('tasks')
  const [first, ...more] = task.results
  if (!first) {
    return isOpen(task) ? (
      <span className={classes.thumb} data-is-running aria-hidden>
        <IconLoader2 size={16} />
      </span>
    ) : null
  }
  const KindIcon = icons[first.kind]
  const address = first.kind === 'image' ? mediaAddress(first.url) : undefined
  return (
    <span className={classes.results}>
      <span className={classes.thumb}>
        {address ? <Thumb address={address} /> : <KindIcon size={18} role="img" aria-label={t(`kind.${first.kind}`)} />}
      </span>
      {more.length > 0 && <span className={classes.more}>{`+${more.length}`}</span>}
    </span>
  )
}

function Thumb({ address }: { readonly address: string }) {
  const { t } = useTranslation('tasks')
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <IconPhotoOff size={18} role="img" aria-label={t('gone')} />
  return (
    <img
      src={address}
      alt={t('kind.image')}
      loading="lazy"
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
    />
  )
}

const tones: Readonly<Record<string, Tone>> = {
  SUBMITTED: 'warning',
  QUEUED: 'warning',
  IN_PROGRESS: 'accent',
  MODAL: 'warning',
  SUCCESS: 'good',
  FAILURE: 'bad',
}

const toneOf = (status: string): Tone => tones[status] ?? 'neutral'

const codeTones: Readonly<Record<number, Tone>> = { 0: 'warning', 1: 'good', 21: 'accent', 22: 'warning' }

export const toneOfCode = (code: number): Tone => codeTones[code] ?? 'neutral'

/** Returns the name of a state; one of a later release, or of another gateway, as it is. */
export const statusName = (status: string): string =>
  findText('tasks', `status.${status === '' ? 'SUBMITTING' : status}`) ?? status

export const actionName = (action: string): string => findText('tasks', `action.${action}`) ?? action

export const platformName = (platform: string): string => findText('tasks', `platform.${platform}`) ?? platform

/** Returns what became of the submission of a drawing. */
export const codeName = (code: number): string => findText('tasks', `code.${code}`) ?? String(code)
