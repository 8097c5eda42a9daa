import { channelRoutes, channelStatus } from '@tollgate/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { call } from '../../lib/api'
import { notifySuccess } from '../../lib/notify'
import { useRefresh } from '../../lib/query'
import { runEach, type Progress } from '../../lib/run-each'
import { channelReads } from './channel-reads'
import type { Channel } from './channel-row'

export type RunKind = 'test' | 'enable' | 'disable'

export interface Run {
  readonly kind: RunKind
  readonly progress: Progress<Channel, Channel>
  readonly isRunning: boolean
}

const setStatus = (id: number, status: number) => call(channelRoutes.updateChannel, { body: { id, status } })

const works: Record<RunKind, (channel: Channel) => Promise<unknown>> = {
  test: ({ id }) => call(channelRoutes.testChannel, { params: { id } }),
  enable: ({ id }) => setStatus(id, channelStatus.enabled),
  disable: ({ id }) => setStatus(id, channelStatus.disabled),
}

/** One thing done with many channels, told while it happens; what failed stays until it was read. */
export function useRuns() {
  const { t } = useTranslation('channels')
  const refresh = useRefresh()
  const [run, setRun] = useState<Run | undefined>()
  async function start(kind: RunKind, channels: readonly Channel[]) {
    const show = (progress: Progress<Channel, Channel>) => setRun({ kind, progress, isRunning: true })
    show({ total: channels.length, results: [], failures: [], left: channels })
    const work = async (channel: Channel) => {
      await works[kind](channel)
      return channel
    }
    const progress = await runEach(channels, work, { onProgress: show })
    await refresh(...channelReads)
    const isClean = progress.failures.length === 0
    setRun(isClean ? undefined : { kind, progress, isRunning: false })
    if (isClean) notifySuccess(t(`run.done.${kind}`, { count: channels.length }))
  }
  return {
    run,
    start: (kind: RunKind, channels: readonly Channel[]) => void start(kind, channels),
    close: () => setRun(undefined),
  }
}
