import { Skeleton, Stack, Title } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import type { ApiError } from '@tollgate/contract'
import type { ReactNode } from 'react'

import { CopyField } from '../../components/copy-field'
import { ErrorState } from '../../components/page/error-state'
import { Facts } from '../../components/facts'
import { PeekPanel } from '../../components/peek/peek-panel'
import { StateMessage } from '../../components/page/state-message'
import { StatusBadge } from '../../components/status-badge'
import { ReadableText, TaskResults } from '../../domain/task-results/task-results'
import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { AgainButton, canMakeAgain } from './again-button'
import { CancelButton } from './cancel-button'
import { isOpen, type Task } from './task'
import { CostCell, DurationCell, StatusCell } from './task-cells'
import { actionName, codeName, platformName, toneOfCode } from './task-words'

interface TaskPanelProps {
  readonly task: Task | undefined
  readonly isGone: boolean
  readonly error: ApiError | null
  readonly retry: () => void
  readonly onClose: () => void
  readonly onPrevious?: () => void
  readonly onNext?: () => void
}

/** A task in full: why it failed, what it made, and what was asked for. */
export function TaskPanel({ task, isGone, error, retry, ...panel }: TaskPanelProps) {
  const { t } = useTranslation('tasks')
  const { user } = useViewer()
  const isRepeatable = task && !isOpen(task) && task.userId === user?.id && canMakeAgain(task)
  const footer = isRepeatable ? <AgainButton task={task} /> : task?.canCancel && <CancelButton task={task} />
  return (
    <PeekPanel title={task ? actionName(task.action) : t('panel.title')} footer={footer} {...panel}>
      {error && !task && <ErrorState error={error} onRetry={retry} isSmall />}
      {isGone && !task && <StateMessage icon={IconSearchOff} title={t('panel.gone')} isSmall />}
      {!task && !error && !isGone && <Skeleton h={280} />}
      {task && (
        <Stack gap="lg">
          <Part title={t('column.reason')} isShown={task.failReason !== ''}>
            <ReadableText text={task.failReason} isBad />
          </Part>
          <Part title={t('column.result')} isShown={task.results.length > 0}>
            <TaskResults results={task.results} />
          </Part>
          <Part title={t('column.prompt')} isShown={task.prompt !== ''}>
            <ReadableText text={task.prompt} />
          </Part>
          <Part title={t('column.promptEn')} isShown={task.promptEn !== ''}>
            <ReadableText text={task.promptEn} />
          </Part>
          <TaskFacts task={task} />
        </Stack>
      )}
    </PeekPanel>
  )
}

interface PartProps {
  readonly title: string
  readonly isShown: boolean
  readonly children: ReactNode
}

const Part = ({ title, isShown, children }: PartProps) =>
  isShown && (
    <section aria-label={title}>
      <Title order={3} size="h4" mb={6}>
        {title}
      </Title>
      {children}
    </section>
  )

function TaskFacts({ task }: { readonly task: Task }) {
  const { t } = useTranslation('tasks')
  const { code, channelId, channelName, username } = task
  const timeOf = (at: number) => at > 0 && <span className="figures">{formatTime(at)}</span>
  return (
    <Facts
      facts={[
        [t('column.status'), <StatusCell key="status" task={task} />],
        [t('column.code'), code !== undefined && <StatusBadge tone={toneOfCode(code)}>{codeName(code)}</StatusBadge>],
        [t('column.task'), <CopyField key="id" value={task.taskId} label={t('copyId')} />],
        [t('column.platform'), platformName(task.platform)],
        [t('fact.model'), task.model],
        [t('column.cost'), <CostCell key="cost" task={task} />],
        [t('column.submitted'), timeOf(task.submittedAt)],
        [t('fact.started'), timeOf(task.startedAt)],
        [t('column.finished'), timeOf(task.finishedAt)],
        [t('column.duration'), <DurationCell key="duration" task={task} />],
        [t('column.username'), username !== undefined && `${username} (${task.userId})`],
        [t('column.channel'), !!channelId && `${channelName ?? ''} #${channelId}`.trim()],
        [t('fact.token'), task.tokenName],
        [t('fact.group'), task.group],
      ]}
    />
  )
}
