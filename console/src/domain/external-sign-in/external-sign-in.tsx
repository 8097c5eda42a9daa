import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import {
  type Icon,
  IconBrandGithub,
  IconBrandTelegram,
  IconBrandWechat,
  IconMessages,
  IconShieldCheck,
} from '@tabler/icons-react'
import type { RedirectProvider, statusRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { useSite } from '../../lib/api/status'
import { useProvider } from './use-provider'

const WeChatSignIn = lazy(async () => ({ default: (await import('./wechat-sign-in')).WeChatSignIn }))
const TelegramButton = lazy(async () => ({ default: (await import('./telegram-button')).TelegramButton }))

const icons: Readonly<Record<RedirectProvider, Icon>> = {
  github: IconBrandGithub,
  oidc: IconShieldCheck,
  linuxdo: IconMessages,
}

/** A button for each way to sign in without a password; a new user gets an account. */
export function ExternalSignIn({ returnTo }: { readonly returnTo: string | undefined }) {
  const { t } = useTranslation('external-sign-in')
  const site = useSite()
  const { leavingFor, leaveFor } = useProvider(returnTo)
  const [open, setOpen] = useState<'wechat' | 'telegram' | undefined>()
  return (
    <>
      {redirectProviders(site).map(({ provider, name }) => {
        const ProviderIcon = icons[provider]
        return (
          <Button
            key={provider}
            variant="default"
            size="sm"
            leftSection={<ProviderIcon size={18} />}
            loading={leavingFor === provider}
            onClick={() => leaveFor(provider)}
          >
            {t('continue', { name })}
          </Button>
        )
      })}
      {site.wechat_login && (
        <Button
          variant="default"
          size="sm"
          leftSection={<IconBrandWechat size={18} />}
          onClick={() => setOpen('wechat')}
        >
          {t('wechat.continue')}
        </Button>
      )}
      {site.telegram_oauth && open !== 'telegram' && (
        <Button
          variant="default"
          size="sm"
          leftSection={<IconBrandTelegram size={18} />}
          onClick={() => setOpen('telegram')}
        >
          {t('continue', { name: 'Telegram' })}
        </Button>
      )}
      <Suspense>
        {open === 'telegram' && <TelegramButton returnTo={returnTo} />}
        {open === 'wechat' && <WeChatSignIn onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  )
}

/** A provider that works by redirects. */
interface SignInRedirect {
  readonly provider: RedirectProvider
  readonly name: string
}

/** Returns the redirect providers of this site in the order of their buttons. */
const redirectProviders = (site: statusRoutes.SiteStatus): readonly SignInRedirect[] => [
  ...(site.github_oauth ? [{ provider: 'github', name: 'GitHub' } as const] : []),
  ...(site.oidc_enabled ? [{ provider: 'oidc', name: site.oidc_display_name } as const] : []),
  ...(site.linuxdo_oauth ? [{ provider: 'linuxdo', name: 'LinuxDO' } as const] : []),
]

/** Whether there is any way to sign in without a password. */
export const hasExternalSignIn = (site: statusRoutes.SiteStatus): boolean =>
  redirectProviders(site).length > 0 || site.wechat_login || site.telegram_oauth
