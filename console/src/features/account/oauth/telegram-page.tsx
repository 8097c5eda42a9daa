import { getRouteApi } from '@tanstack/react-router'
import { ApiError, externalSignInRoutes } from '@tollgate/contract'

import { takeTelegram } from '../../../domain/external-sign-in/telegram-flow'
import { call } from '../../../lib/api/api'
import { useTranslation } from '../../../lib/text/i18n'
import { storedInvitation } from '../../../lib/url/invitation'
import { storedUser } from '../../../lib/api/session'
import { Arriving, useArrival } from './arrival'

const route = getRouteApi('/oauth/telegram')

/** The redirect target of Telegram's button, with its signed data. */
export function TelegramPage() {
  const { t } = useTranslation('external-sign-in')
  const { flow: id, ...parameters } = route.useSearch()
  useArrival(async () => {
    const flow = takeTelegram(id)
    const assertion = externalSignInRoutes.TelegramAssertion.safeParse(parameters)
    if (!flow || !assertion.success) throw new ApiError(t('telegram.stale'), 200, 'oauth.assertion', undefined)
    const { returnTo } = flow
    if (storedUser.get()) {
      await call(externalSignInRoutes.bindTelegram, { body: assertion.data })
      return { user: null, returnTo }
    }
    const aff = storedInvitation.get()
    const query = { ...assertion.data, ...(aff !== '' && { aff }) }
    return { user: await call(externalSignInRoutes.signInByTelegram, { query }), returnTo }
  })
  return <Arriving />
}
