import { Button, Group, Text } from '@mantine/core'
import { systemRoutes, type LogLevel } from '@tollgate/contract'
import { useState } from 'react'

import { ChoiceSelect } from '../../components/fields/choice-select'
import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { useSpan } from '../../lib/text/use-span'

const times = ['15', '60', '240', '1440'] as const

/** Log level of all workers, and a temporary override. */
export function LogLevel({ log }: { readonly log: systemRoutes.SystemState['log'] }) {
  const { t } = useTranslation('system')
  const span = useSpan()
  const isAllowed = useViewer().may('settings.write')
  const [level, setLevel] = useState<LogLevel>('debug')
  const [minutes, setMinutes] = useState<(typeof times)[number]>('15')
  const { mutate, isPending } = useWrite(systemRoutes.setLogLevel, {
    changes: [systemRoutes.systemState],
    onSuccess: () => notifySuccess(t('log.done')),
  })
  return (
    <>
      <Text size="sm">
        {log.until === null
          ? t('log.configured', { level: log.level })
          : t('log.until', { level: log.level, configured: log.configured, time: formatTime(log.until) })}
      </Text>
      {isAllowed && (
        <Group gap="sm" align="flex-end">
          <ChoiceSelect
            label={t('log.level')}
            value={level}
            onChange={setLevel}
            choices={systemRoutes.chosenLogLevels.map((value) => ({ value, label: value }))}
            flex="1 1 90px"
            maw={130}
          />
          <ChoiceSelect
            label={t('log.for')}
            value={minutes}
            onChange={setMinutes}
            choices={times.map((value) => ({ value, label: span(Number(value) * 60) }))}
            flex="1 1 136px"
            maw={150}
          />
          <Button
            variant="default"
            size="sm"
            loading={isPending}
            onClick={() => mutate({ body: { level, minutes: Number(minutes) } })}
          >
            {t('log.change')}
          </Button>
          {log.until !== null && (
            <Button variant="subtle" size="sm" onClick={() => mutate({ body: { level: log.configured, minutes: 0 } })}>
              {t('log.return')}
            </Button>
          )}
        </Group>
      )}
    </>
  )
}
