import { logRoutes } from '@tollgate/contract'
import { useRef, useState } from 'react'

import { download, understood } from '../../lib/api'
import { notifyError } from '../../lib/notify'
import { saveFile } from '../../lib/save-file'
import { useViewer } from '../../lib/session'
import { filterOf } from './log-query'
import type { LogSearch } from './log-search'

/** All rows within the filters as a file, however many; it can be broken off. */
export function useExport(search: LogSearch) {
  const { isAdmin } = useViewer()
  const [bytes, setBytes] = useState<number | undefined>()
  const isAborted = useRef(false)

  async function run() {
    isAborted.current = false
    setBytes(0)
    try {
      const query = filterOf(search, isAdmin, Date.now() / 1000)
      const response = await download(isAdmin ? logRoutes.exportLogs : logRoutes.exportOwnLogs, { query })
      const parts = await readParts(response, (size) => {
        setBytes(size)
        return !isAborted.current
      })
      if (parts) saveFile(new Blob(parts, { type: 'text/csv' }), fileNameOf(response))
    } catch (error) {
      if (!isAborted.current) notifyError(understood(error))
    } finally {
      setBytes(undefined)
    }
  }

  return {
    isBusy: bytes !== undefined,
    size: `${((bytes ?? 0) / 1_000_000).toFixed(1)} MB`,
    start: () => void run(),
    abort: () => {
      isAborted.current = true
    },
  }
}

/** The pieces as they come; undefined when `goesOn` says no. */
async function readParts(response: Response, goesOn: (size: number) => boolean): Promise<BlobPart[] | undefined> {
  const reader = response.body?.getReader()
  const parts: BlobPart[] = []
  let size = 0
  for (;;) {
    const piece = await reader?.read()
    if (!piece || piece.done) return parts
    parts.push(new Uint8Array(piece.value))
    size += piece.value.byteLength
    if (goesOn(size)) continue
    await reader?.cancel()
    return undefined
  }
}

const fileNameOf = (response: Response) =>
  /filename="?([^";]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'logs.csv'
