import { Button, Paper, Text } from '@mantine/core'
import { ApiError, externalSignInRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { call, toApiError } from '../../lib/api/api'
import { useTranslation } from '../../lib/text/i18n'
import { notifyError, notifySuccess } from '../../lib/browser/notify'
import classes from './settings.module.css'
import type { Settings } from './use-settings'

/** Fills in the endpoints from the provider's discovery document. */
export function OidcDiscovery({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation('settings')
  const [isReading, setReading] = useState(false)
  if (!settings.mayWrite('oidc.well_known')) return null
  const address = (settings.draft('oidc.well_known') ?? settings.row('oidc.well_known')?.value ?? '').trim()
  const read = async () => {
    setReading(true)
    try {
      const found = await call(externalSignInRoutes.discoverOidc, { query: { well_known: address } })
      settings.setDraft('oidc.authorization_endpoint', found.authorization_endpoint)
      settings.setDraft('oidc.token_endpoint', found.token_endpoint)
      settings.setDraft('oidc.user_info_endpoint', found.userinfo_endpoint)
      notifySuccess(t('oidc.found'))
    } catch (error) {
      const { message, status, code, requestId } = toApiError(error)
      notifyError(new ApiError(t('oidc.failed', { reason: message }), status, code, requestId))
    } finally {
      setReading(false)
    }
  }
  return (
    <Paper className={classes.extra}>
      <Text size="sm" c="dimmed">
        {t('oidc.hint')}
      </Text>
      <div>
        <Button variant="default" loading={isReading} disabled={address === ''} onClick={() => void read()}>
          {t('oidc.read')}
        </Button>
      </div>
    </Paper>
  )
}
