import { Button } from '@mantine/core'
import {
  externalSignInRoutes,
  accountRoutes,
  type RedirectProvider,
  type statusRoutes,
  type userRoutes,
} from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { useProvider } from '../../../domain/external-sign-in/use-provider'
import { ConfirmButton } from '../../../components/dialogs/confirm-button'
import { StatusBadge } from '../../../components/status-badge'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'
import { useSite } from '../../../lib/api/status'
import { MeRow, AccountSection } from '../account-section'

const WeChatBinding = lazy(async () => ({ default: (await import('./wechat-binding')).WeChatBinding }))
const TelegramButton = lazy(async () => ({
  default: (await import('../../../domain/external-sign-in/telegram-button')).TelegramButton,
}))

type Provider = RedirectProvider | 'wechat' | 'telegram'

const providers = [
  { provider: 'github', field: 'github_id', option: 'github_oauth' },
  { provider: 'oidc', field: 'oidc_id', option: 'oidc_enabled' },
  { provider: 'linuxdo', field: 'linux_do_id', option: 'linuxdo_oauth' },
  { provider: 'wechat', field: 'wechat_id', option: 'wechat_login' },
  { provider: 'telegram', field: 'telegram_id', option: 'telegram_oauth' },
] as const satisfies readonly {
  readonly provider: Provider
  readonly field: keyof userRoutes.UserEntity
  readonly option: keyof statusRoutes.SiteStatus
}[]

/** External accounts that the reader signs in with; hidden where the site has none enabled and none is linked. */
export function ExternalSection({ user }: { readonly user: userRoutes.UserEntity }) {
  const { t } = useTranslation('account')
  const site = useSite()
  const { leavingFor, leaveFor } = useProvider(undefined)
  const [open, setOpen] = useState<'wechat' | 'telegram' | undefined>()
  const shown = providers.filter(({ field, option }) => site[option] || user[field] !== '')
  if (shown.length === 0) return null
  const link = (provider: Provider) =>
    provider === 'wechat' || provider === 'telegram' ? setOpen(provider) : leaveFor(provider)
  return (
    <AccountSection title={t('external.title')} hint={t('external.hint')}>
      {shown.map(({ provider, field }) => {
        const name = provider === 'oidc' ? site.oidc_display_name : t(`external.${provider}`)
        const id = user[field]
        return (
          <MeRow
            key={provider}
            isCompact={open !== provider}
            name={
              <>
                {name}
                {id !== '' && <StatusBadge tone="good">{t('external.linked')}</StatusBadge>}
              </>
            }
            details={id === '' ? t('external.none') : t('external.id', { id })}
            actions={
              id !== '' ? (
                <Unlink provider={provider} name={name} />
              ) : provider === 'telegram' && open === 'telegram' ? (
                <Suspense>
                  <TelegramButton returnTo={undefined} />
                </Suspense>
              ) : (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('external.linkNamed', { name })}
                  loading={leavingFor === provider}
                  onClick={() => link(provider)}
                >
                  {t('external.link')}
                </Button>
              )
            }
          />
        )
      })}
      {open === 'wechat' && (
        <Suspense>
          <WeChatBinding onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </AccountSection>
  )
}

function Unlink({ provider, name }: { readonly provider: Provider; readonly name: string }) {
  const { t } = useTranslation('account')
  const { mutate, isPending } = useWrite(externalSignInRoutes.unbindIdentity, {
    changes: [accountRoutes.getSelf],
    onSuccess: () => notifySuccess(t('external.unlinked')),
  })
  return (
    <ConfirmButton
      size="xs"
      title={t('external.unlinkTitle', { name })}
      question={t('external.unlinkQuestion')}
      confirmText={t('external.unlink')}
      loading={isPending}
      onConfirm={() => mutate({ params: { provider } })}
    >
      {t('external.unlink')}
    </ConfirmButton>
  )
}
