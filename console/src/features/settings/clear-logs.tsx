import { Button, Group } from '@mantine/core'
import { ApiError, logRoutes } from '@tollgate/contract'
import dayjs from 'dayjs'
import { useState } from 'react'

import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { DangerZone } from '../../components/dialogs/danger-zone'
import { TimeField } from '../../components/fields/time-field'
import { useTranslation } from '../../lib/text/i18n'
import { notifyError, notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'

const shape = 'YYYY-MM-DD HH:mm:ss'

/** Deletes old rows of the usage log, for readers with the grant. */
export function ClearLogs() {
  return useViewer().may('logs.delete') ? <ClearForm /> : null
}

function ClearForm() {
  const { t } = useTranslation('settings')
  const [before, setBefore] = useState<string | null>(() => dayjs().subtract(1, 'month').format(shape))
  const [isConfirming, setConfirming] = useState(false)
  const { mutate, isPending } = useWrite(logRoutes.deleteLogs, {
    changes: [logRoutes.listLogs, logRoutes.listOwnLogs, logRoutes.logStat, logRoutes.ownLogStat],
    onSuccess: (count) => notifySuccess(t('clear.done', { count })),
    onError: (error) =>
      notifyError(
        new ApiError(t('clear.failed', { reason: error.message }), error.status, error.code, error.requestId),
      ),
  })
  const clear = () => mutate({ query: { target_timestamp: dayjs(before, shape).unix() } })
  return (
    <DangerZone title={t('clear.title')} hint={t('clear.hint')}>
      <Group align="flex-end" gap={8}>
        <TimeField
          label={t('clear.before')}
          value={before}
          onChange={(time) => {
            setBefore(time)
            setConfirming(false)
          }}
          maxDate={dayjs().format(shape)}
          error={isConfirming && before === null ? t('clear.choose') : undefined}
          miw={220}
        />
        <ConfirmButton
          title={t('clear.title')}
          question={t('clear.question', { time: before })}
          confirmText={t('clear.confirm')}
          onConfirm={clear}
          trigger={(open) => (
            <Button
              variant="default"
              color="red"
              size="sm"
              loading={isPending}
              onClick={() => (before === null ? setConfirming(true) : open())}
            >
              {t('clear.confirm')}
            </Button>
          )}
        />
      </Group>
    </DangerZone>
  )
}
