import { factorRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { call, understood } from '../../../lib/api/api'
import { useTranslation } from '../../../lib/text/i18n'
import { notifyError, notifySuccess, notifyWarning } from '../../../lib/browser/notify'
import { makePasskey } from '../../../lib/browser/passkey'
import { useRefresh } from '../../../lib/api/query'

/** Creates a passkey in the browser and saves it under a name. */
export function useAddPasskey(onCodes: (codes: readonly string[]) => void) {
  const { t } = useTranslation('me')
  const refresh = useRefresh()
  const [isAdding, setAdding] = useState(false)
  const begin = async (name: string) => {
    setAdding(true)
    try {
      const answer = await makePasskey(await call(factorRoutes.beginPasskey))
      if (!answer) return notifyWarning(t('passkey.notMade'))
      const { recovery_codes: codes } = await call(factorRoutes.addPasskey, { body: { name, answer } })
      notifySuccess(t('passkey.done'))
      if (codes) onCodes(codes)
      await refresh(factorRoutes.getFactors)
    } catch (error) {
      notifyError(understood(error))
    } finally {
      setAdding(false)
    }
  }
  return { isAdding, add: (name: string) => void begin(name) }
}
