import { Button, Loader, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { hasEnded, taskRoutes } from '@tollgate/contract'

import { Money } from '../../../domain/money'
import { ReadableText, TaskResults } from '../../../domain/task-results/task-results'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { AnswerFailure } from '../turns/answer-failure'
import classes from './studio.module.css'
import type { TaskRun } from './use-task-runs'

interface TaskRunViewProps {
  readonly run: TaskRun
  readonly onRetry: () => void
}

const pollMs = 3_000

/** A request, followed until its task has ended, with what it made. */
export function TaskRunView({ run: { request, taskId, failure }, onRetry }: TaskRunViewProps) {
  const { t } = useTranslation('playground')
  const list = useRead(
    taskRoutes.listOwnTasks,
    { query: { task_id: taskId, page_size: 1 } },
    { enabled: taskId !== undefined, refetchInterval: taskId === undefined ? false : pollMs },
  )
  const task = taskId === undefined ? undefined : list.data?.items[0]
  const isMaking = !failure && (!task || !hasEnded(task))
  return (
    <li className={classes.run}>
      <p className={classes.prompt}>{request.prompt}</p>
      {failure && <AnswerFailure failure={failure} model={String(request.body['model'] ?? '')} onRetry={onRetry} />}
      {isMaking && (
        <div className={classes.making} role="status">
          <Loader size="sm" aria-hidden />
          <Text size="sm" c="dimmed" className="figures">
            {task ? t('studio.progress', { progress: task.progress }) : t('studio.submitting')}
          </Text>
        </div>
      )}
      {task?.fail_reason && <ReadableText text={task.fail_reason} isBad />}
      {task?.status === 'FAILURE' && (
        <Button variant="default" mt={8} onClick={onRetry}>
          {t('common:retry')}
        </Button>
      )}
      {task && task.results.length > 0 && <TaskResults results={task.results} />}
      {task && (
        <div className={classes.facts}>
          <span>{task.model}</span>
          {hasEnded(task) && <Money quota={task.quota} />}
          <Link to="/app/logs/tasks" search={{ task: task.task_id, open: task.id }}>
            {t('studio.toLog')}
          </Link>
        </div>
      )}
    </li>
  )
}
