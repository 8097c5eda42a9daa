import { Navigate } from '@tanstack/react-router'
import { setupRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { ErrorState } from '../../../components/page/state-message'
import { PageLoading } from '../../../components/page/page-loading'
import { AuthCard } from '../../../components/auth-card'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { useSite } from '../../../lib/api/status'
import { SetupForm } from './setup-form'

/** The first visit: the administrator's account and the purpose of the gateway. */
export function SetupPage() {
  const { t } = useTranslation('setup')
  const { setup: isSetUp } = useSite()
  // After a setup on this page, the form itself navigates.
  const [wasSetUp] = useState(isSetUp)
  const { data, error, refetch } = useRead(setupRoutes.getSetup, {}, { enabled: !isSetUp })
  if (wasSetUp) return <Navigate to="/" />
  return (
    <AuthCard title={t('title')} hint={t('hint')} width={560}>
      {error && <ErrorState title={t('noState')} error={error} onRetry={() => void refetch()} isSmall />}
      {!data && !error && <PageLoading />}
      {data && <SetupForm needs={data} />}
    </AuthCard>
  )
}
