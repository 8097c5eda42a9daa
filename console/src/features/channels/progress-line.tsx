import { Text } from '@mantine/core'
import { channelRoutes } from '@tollgate/contract'
import { lazy, Suspense, useEffect, useRef } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess, notifyWarning } from '../../lib/browser/notify'
import { useRead, useRefresh } from '../../lib/api/query'
import { channelReads } from './channel-data'

const RunBar = lazy(async () => ({ default: (await import('./run-bar')).RunBar }))

const pollMs = 1_000

/** Progress of a run over all channels while there is one; the list is refreshed along with it. */
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
  const run = useRun(route)
  useFollowed(run, ({ done, failed }) => {
    const text = t(`progress.${name}Done`, { done, failed })
    if (failed > 0) notifyWarning(text)
    else notifySuccess(text)
  })
  if (!run?.is_running) return null
  const text = t(`progress.${name}`, { done: run.done, total: run.total, failed: run.failed })
  return (
    <div role="status" style={{ marginBottom: 12 }}>
      <Text size="sm" className="figures" mb={4}>
        {text}
      </Text>
      <Suspense>
        <RunBar run={run} label={text} />
      </Suspense>
    </div>
  )
}

/** Requested once, and every second during a run. */
function useRun(route: typeof channelRoutes.testProgress): channelRoutes.RunProgress | undefined {
  const { data } = useRead(route)
  useRead(route, undefined, { refetchInterval: data?.is_running ? pollMs : false })
  return data
}

/** Refreshes the list with each step of a run and reports its end. */
function useFollowed(run: channelRoutes.RunProgress | undefined, onEnd: (run: channelRoutes.RunProgress) => void) {
  const refresh = useRefresh()
  const before = useRef<channelRoutes.RunProgress>(undefined)
  useEffect(() => {
    const seen = before.current
    before.current = run
    if (!seen || !run) return
    const isOther = seen.started_at !== run.started_at
    if (isOther || seen.done !== run.done) void refresh(...channelReads)
    if (!run.is_running && (seen.is_running || isOther)) onEnd(run)
  })
}
