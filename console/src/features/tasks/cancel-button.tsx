import { IconPlayerStop } from '@tabler/icons-react'
import { taskRoutes } from '@tollgate/contract'

import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { useFormat } from '../../lib/text/use-format'
import type { Task } from './task'

const lists = [taskRoutes.listTasks, taskRoutes.listOwnTasks, taskRoutes.listDrawings, taskRoutes.listOwnDrawings]

/** Stops a task whose vendor can; the reader's own, or any user's for those who may change users. */
export function CancelButton({ task }: { readonly task: Task }) {
  const { t } = useTranslation('tasks')
  const { money } = useFormat()
  const { user, may } = useViewer()
  const isOwn = task.userId === user?.id
  const cancel = useWrite(isOwn ? taskRoutes.cancelOwnTask : taskRoutes.cancelTask, {
    changes: lists,
    onSuccess: () => notifySuccess(t('cancel.done')),
  })
  if (!task.canCancel || !(isOwn || may('users.write'))) return null
  return (
    <ConfirmButton
      color="red"
      leftSection={<IconPlayerStop size={14} />}
      loading={cancel.isPending}
      title={t('cancel.title')}
      question={t('cancel.question', { held: money(task.held) })}
      confirmText={t('cancel.action')}
      onConfirm={() => cancel.mutate({ params: { id: task.id } })}
    >
      {t('cancel.action')}
    </ConfirmButton>
  )
}
