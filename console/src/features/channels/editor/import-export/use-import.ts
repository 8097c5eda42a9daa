import { channelRoutes, type ApiError } from '@tollgate/contract'
import { useRef, useState } from 'react'

import { call, toApiError } from '../../../../lib/api/api'
import { useRefresh } from '../../../../lib/api/query'
import type { ImportRow } from './import-rows'
import { channelReads } from '../../channel-data'

/** Result of a row. */
export type RowResult = { readonly id: number } | { readonly error: ApiError }

export interface ImportRun {
  readonly isRunning: boolean
  /** By row number. */
  readonly results: ReadonlyMap<number, RowResult>
  readonly start: (rows: readonly ImportRow[]) => Promise<void>
  readonly stop: () => void
}

/** Creates channels one after the other, so that each row has its own result; finished ones stay. */
export function useImport(): ImportRun {
  const refresh = useRefresh()
  const [isRunning, setRunning] = useState(false)
  const [results, setResults] = useState<ReadonlyMap<number, RowResult>>(new Map())
  const isStopped = useRef(false)
  const start = async (rows: readonly ImportRow[]) => {
    isStopped.current = false
    setRunning(true)
    for (const { position: index, channel } of rows) {
      if (isStopped.current) break
      const result = await resultOf(channel)
      setResults((before) => new Map([...before, [index, result]]))
    }
    setRunning(false)
    await refresh(...channelReads)
  }
  return {
    isRunning,
    results,
    start,
    stop: () => {
      isStopped.current = true
    },
  }
}

async function resultOf(channel: ImportRow['channel']): Promise<RowResult> {
  try {
    const { id } = await call(channelRoutes.createChannel, { body: channel })
    return { id }
  } catch (error) {
    return { error: toApiError(error) }
  }
}
