import type { FileRoute, RouteSent } from '@tollgate/contract'
import { useState } from 'react'

import { download, toApiError } from './api'
import { notifyError } from '../browser/notify'
import { saveFile, savedName } from '../browser/save-file'

/** Downloads a route's whole file; `otherwise` names it where the response does not. */
export function useDownload<R extends FileRoute>(route: R, sent: RouteSent<R>, otherwise: string) {
  const [isBusy, setBusy] = useState(false)
  async function start() {
    setBusy(true)
    try {
      const response = await download(route, sent)
      saveFile(await response.blob(), savedName(response, otherwise))
    } catch (error) {
      notifyError(toApiError(error))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, start: () => void start() }
}
