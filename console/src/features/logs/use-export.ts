import { logRoutes } from '@tollgate/contract'
import { useRef, useState } from 'react'

import { download, toApiError } from '../../lib/api/api'
import { notifyError } from '../../lib/browser/notify'
import { saveFile, savedName } from '../../lib/browser/save-file'
import { useViewer } from '../../lib/api/session'
import { filterOf } from './log-query'
import type { LogSearch } from './log-search'

/** One export in progress. */
interface Run {
  isAborted: boolean
  stop: () => void
}

/** Exports all rows within the filters as a file, however many; it can be aborted at any time. */
export function useExport(search: LogSearch) {
  const readsAll = useViewer().may('logs.read')
  const [bytes, setBytes] = useState<number | undefined>()
  const current = useRef<Run | undefined>(undefined)

  async function run(own: Run) {
    try {
      const query = filterOf(search, readsAll, Date.now() / 1000)
      const response = await download(readsAll ? logRoutes.exportLogs : logRoutes.exportOwnLogs, { query })
      const content = await contentOf(response, own, setBytes)
      if (!own.isAborted) saveFile(content, savedName(response, 'logs.csv'))
    } catch (error) {
      if (!own.isAborted) notifyError(toApiError(error))
    } finally {
      if (!own.isAborted) setBytes(undefined)
    }
  }

  return {
    isBusy: bytes !== undefined,
    size: `${((bytes ?? 0) / 1_000_000).toFixed(1)} MB`,
    start: () => {
      current.current = { isAborted: false, stop: () => {} }
      setBytes(0)
      void run(current.current)
    },
    abort: () => {
      const own = current.current
      if (own) own.isAborted = true
      own?.stop()
      setBytes(undefined)
    },
  }
}

/** Chunks of this size are merged into a blob, which a browser may move to disk. */
const pieceBytes = 8_000_000

/** Resolves with the content of a response. Rejects when it is aborted. */
async function contentOf(response: Response, run: Run, onBytes: (bytes: number) => void): Promise<Blob> {
  const reader = response.body?.getReader()
  run.stop = () => void reader?.cancel().catch(() => {})
  if (run.isAborted) run.stop()
  const pieces: Blob[] = []
  let fresh: BlobPart[] = []
  let freshBytes = 0
  let bytes = 0
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done || run.isAborted) break
    fresh.push(new Uint8Array(part.value))
    freshBytes += part.value.byteLength
    bytes += part.value.byteLength
    onBytes(bytes)
    if (freshBytes < pieceBytes) continue
    pieces.push(new Blob(fresh))
    fresh = []
    freshBytes = 0
  }
  return new Blob([...pieces, ...fresh], { type: 'text/csv' })
}
