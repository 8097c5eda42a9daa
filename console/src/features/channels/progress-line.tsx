import { Progress, Text } from '@mantine/core'
import { channelRoutes } from '@tollgate/contract'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { useRead, useRefresh } from '../../lib/query'
import { channelReads } from './channel-reads'

const pollMs = 1_000

/** How far a run over all channels is, while there is one; the list follows it. */
export function ProgressLines() {
  return (
    <>
      <ProgressLine route={channelRoutes.testProgress} name="testing" />
      <ProgressLine route={channelRoutes.balanceProgress} name="asking" />
    </>
  )
}

interface ProgressLineProps {
  readonly route: typeof channelRoutes.testProgress
  readonly name: 'testing' | 'asking'
}

function ProgressLine({ route, name }: ProgressLineProps) {
  const { t } = useTranslation('channels')
  const refresh = useRefresh()
  const { data } = useRead(route, {}, { refetchInterval: pollMs })
  const seen = useRef<number | undefined>(undefined)
  const done = data?.done
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== done) void refresh(...channelReads)
    seen.current = done
  }, [done, refresh])
  if (!data?.is_running) return null
  const text = t(`progress.${name}`, { done: data.done, total: data.total, failed: data.failed })
  return (
    <div role="status" style={{ marginBottom: 12 }}>
      <Text size="sm" className="figures" mb={4}>
        {text}
      </Text>
      <Progress value={(data.done / Math.max(data.total, 1)) * 100} aria-label={text} />
    </div>
  )
}
