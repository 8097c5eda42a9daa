import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { PageHeader } from '../../components/page/page-header'
import { useTranslation } from '../../lib/text/i18n'

const OwnProfileDrawer = lazy(async () => ({ default: (await import('./own-profile-drawer')).OwnProfileDrawer }))

/** A page for links to the reader's own account, which is edited in a drawer. */
export function OwnProfilePage() {
  const { t } = useTranslation('users')
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title={t('own')} />
      <Suspense>
        <OwnProfileDrawer onClose={() => void navigate({ to: '/app/me' })} />
      </Suspense>
    </>
  )
}
