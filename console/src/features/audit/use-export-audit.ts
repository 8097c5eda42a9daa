import { auditRoutes, type RouteSent } from '@tollgate/contract'
import { useState } from 'react'

import { download, understood } from '../../lib/api'
import { notifyError } from '../../lib/notify'
import { saveFile } from '../../lib/save-file'

/** All rows within the filters as a file. */
export function useExportAudit(query: RouteSent<typeof auditRoutes.exportAudit>['query']) {
  const [isBusy, setBusy] = useState(false)
  async function start() {
    setBusy(true)
    try {
      const response = await download(auditRoutes.exportAudit, { query })
      const name = /filename="?([^";]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1]
      saveFile(await response.blob(), name ?? 'audit.csv')
    } catch (error) {
      notifyError(understood(error))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, start }
}
