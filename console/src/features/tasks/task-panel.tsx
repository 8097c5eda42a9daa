import { Skeleton, Stack, Title, Button } from '@mantine/core'
import { IconSearchOff, IconRepeat, IconPlayerStop } from '@tabler/icons-react'
import { type ApiError, taskRoutes } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'

import { CopyField } from '../../components/copy-button'
import { ErrorState, StateMessage } from '../../components/page/state-message'
import { Facts } from '../../components/facts'
import { PeekPanel } from '../../components/peek/peek-panel'
import { StatusBadge } from '../../components/status-badge'
import { ReadableText, TaskResults } from '../../domain/task-results/task-results'
import { useFormat } from '../../lib/text/use-format'
import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { isBatch, isOpen, type Task } from './task'
import { CostCell, DurationCell, StatusCell, actionName, codeName, platformName, toneOfCode } from './task-cells'
import { handDraft } from '../../lib/url/playground-draft'
import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'

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
          <Part title={t(isBatch(task) ? 'column.calls' : 'column.prompt')} isShown={task.prompt !== ''}>
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

/** What the playground makes, by platform and action, where a prompt alone describes it. */
const makes: Readonly<Record<string, 'images' | 'songs' | 'videos'>> = {
  'image GENERATE': 'images',
  'suno MUSIC': 'songs',
  'video GENERATE': 'videos',
}

const makeOf = ({ platform, action }: Task) => makes[`${platform} ${action}`]

/** Whether the playground can make again what was asked for. */
const canMakeAgain = (task: Task): boolean => makeOf(task) !== undefined && task.prompt !== ''

/** Opens the playground with all that is kept of a task's request. It costs nothing before the reader sends it. */
function AgainButton({ task }: { readonly task: Task }) {
  const { t } = useTranslation('tasks')
  const navigate = useNavigate()
  const { model, prompt, group, parameters, lostFields } = task
  const open = () => {
    handDraft({ model, messages: [{ role: 'user', content: prompt }], group, parameters, lostFields })
    void navigate({ to: '/playground', search: { make: makeOf(task), draft: 1 } })
  }
  return (
    <Button variant="default" leftSection={<IconRepeat size={14} />} onClick={open}>
      {t('again')}
    </Button>
  )
}

const lists = [taskRoutes.listTasks, taskRoutes.listOwnTasks, taskRoutes.listDrawings, taskRoutes.listOwnDrawings]

/** Stops a task whose vendor can; the reader's own, or any user's for those who may change users. */
function CancelButton({ task }: { readonly task: Task }) {
  const { t } = useTranslation('tasks')
  const { money } = useFormat()
  const { user, may } = useViewer()
  const isOwn = task.userId === user?.id
  const words = isBatch(task) ? 'cancelBatch' : 'cancel'
  const cancel = useWrite(isOwn ? taskRoutes.cancelOwnTask : taskRoutes.cancelTask, {
    changes: lists,
    onSuccess: () => notifySuccess(t(`${words}.done`)),
  })
  if (!task.canCancel || !(isOwn || may('users.write'))) return null
  return (
    <ConfirmButton
      color="red"
      leftSection={<IconPlayerStop size={14} />}
      loading={cancel.isPending}
      title={t(`${words}.title`)}
      question={t(`${words}.question`, { held: money(task.held) })}
      confirmText={t(`${words}.action`)}
      onConfirm={() => cancel.mutate({ params: { id: task.id } })}
    >
      {t(`${words}.action`)}
    </ConfirmButton>
  )
}
