import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { factorRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { call, toApiError } from '../../../lib/api/api'
import { useTranslation } from '../../../lib/text/i18n'
import { notifyError, notifySuccess } from '../../../lib/browser/notify'
import { requestPasskey } from '../../../lib/browser/passkey'
import { storedUser } from '../../../lib/api/session'

/** Signs in without a user name. The page itself reacts to the new session. */
export function PasskeyButton() {
  const { t } = useTranslation('login')
  const [isBusy, setBusy] = useState(false)
  const signIn = async () => {
    setBusy(true)
    try {
      const passkeyResponse = await requestPasskey(await call(factorRoutes.beginPasskeyLogIn))
      if (!passkeyResponse) return
      storedUser.set(await call(factorRoutes.passkeyLogIn, { body: { answer: passkeyResponse } }))
      notifySuccess(t('success'))
    } catch (error) {
      notifyError(toApiError(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<IconKey size={18} />}
      loading={isBusy}
      onClick={() => void signIn()}
    >
      {t('passkey')}
    </Button>
  )
}
