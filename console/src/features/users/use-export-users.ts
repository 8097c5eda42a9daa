import { userRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { download, understood } from '../../lib/api'
import { notifyError } from '../../lib/notify'
import { saveFile } from '../../lib/save-file'

/** All users that the filters find as a file. */
export function useExportUsers(query: { readonly keyword?: string; readonly group?: string }) {
  const [isBusy, setBusy] = useState(false)
  async function start() {
    setBusy(true)
    try {
      const response = await download(userRoutes.exportUsers, { query })
      const name = /filename="?([^";]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1]
      saveFile(await response.blob(), name ?? 'users.csv')
    } catch (error) {
      notifyError(understood(error))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, start }
}
