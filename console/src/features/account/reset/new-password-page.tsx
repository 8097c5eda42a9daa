import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { IconLinkOff } from '@tabler/icons-react'
import { useState } from 'react'

import { AuthCard } from '../../../components/auth-card'
import { DeadEnd } from '../../../components/page/state-message'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { storedUser } from '../../../lib/api/session'
import { NewPasswordForm } from './new-password-form'

const route = getRouteApi('/user/reset')

/** The target of a mailed link: it requires no sign-in and is used up by the new password. */
export function NewPasswordPage() {
  const { t } = useTranslation('reset')
  const { email, token } = route.useSearch()
  const navigate = useNavigate()
  const [isInvalid, setInvalid] = useState(!email || !token)
  const goOn = () => {
    // The server has ended the sessions of this account.
    storedUser.clear()
    notifySuccess(t('new.done'))
    void navigate({ to: '/login', replace: true })
  }
  if (isInvalid || !email || !token) return <InvalidLink />
  return (
    <AuthCard title={t('new.title')} hint={t('new.hint')}>
      <NewPasswordForm email={email} token={token} onDone={goOn} onInvalid={() => setInvalid(true)} />
    </AuthCard>
  )
}

function InvalidLink() {
  const { t } = useTranslation('reset')
  return (
    <DeadEnd
      icon={IconLinkOff}
      title={t('invalid.title')}
      hint={t('invalid.hint')}
      to="/reset"
      action={t('invalid.action')}
    />
  )
}
