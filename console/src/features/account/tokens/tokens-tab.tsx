import { Button, Stack } from '@mantine/core'
import { accessTokenRoutes, type RouteResult, accountRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { ConfirmButton } from '../../../components/dialogs/confirm-button'
import { StatusBadge } from '../../../components/status-badge'
import { TimeAgo } from '../../../components/time-ago'
import { formatTime } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useRead, useWrite } from '../../../lib/api/query'
import { useNow } from '../../../lib/text/use-now'
import { AccountSection, MeRow, ReadState } from '../account-section'

const TokenDrawer = lazy(async () => ({ default: (await import('./token-drawer')).TokenDrawer }))
const NewTokenDialog = lazy(async () => ({ default: (await import('./new-token-dialog')).NewTokenDialog }))

/** Access tokens for the console's API. */
export function TokensTab() {
  const { t } = useTranslation('account')
  const read = useRead(accessTokenRoutes.listAccessTokens, {})
  const { data: tokens } = read
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<string | undefined>()
  const isFull = tokens !== undefined && tokens.length >= accessTokenRoutes.maxAccessTokens
  return (
    <Stack gap="md">
      <AccountSection
        title={t('token.title')}
        hint={isFull ? t('token.full', { count: accessTokenRoutes.maxAccessTokens }) : t('token.hint')}
        actions={
          <Button size="sm" disabled={!tokens || isFull} onClick={() => setCreating(true)}>
            {t('token.create')}
          </Button>
        }
      >
        {tokens?.map((token) => <TokenRow key={token.id} token={token} />) ?? (
          <li>
            <ReadState read={read} />
          </li>
        )}
      </AccountSection>
      <SingleTokenSection onToken={setCreated} />
      <Suspense>
        {isCreating && (
          <TokenDrawer
            onCreated={({ token }: RouteResult<typeof accessTokenRoutes.createAccessToken>) => {
              setCreating(false)
              setCreated(token)
            }}
            onClose={() => setCreating(false)}
          />
        )}
        {created !== undefined && <NewTokenDialog token={created} onClose={() => setCreated(undefined)} />}
      </Suspense>
    </Stack>
  )
}

function TokenRow({ token }: { readonly token: accessTokenRoutes.AccessTokenEntity }) {
  const { id, name, scopes, expires_at: expiresAt, last_used_at: usedAt } = token
  const { t } = useTranslation('account', 'rights')
  const now = useNow(60_000)
  const isExpired = expiresAt !== null && expiresAt <= now / 1000
  const revoke = useWrite(accessTokenRoutes.deleteAccessToken, {
    changes: [accessTokenRoutes.listAccessTokens],
    onSuccess: () => notifySuccess(t('token.revoked')),
  })
  const listed = scopes?.map((scope) => t(`rights:grant.${scope}`)).join(t('token.comma'))
  return (
    <MeRow
      name={
        <>
          {name}
          {isExpired && <StatusBadge tone="warning">{t('token.expired')}</StatusBadge>}
        </>
      }
      details={
        <>
          <div>{scopes === null ? t('token.all') : listed === '' ? t('token.nothing') : listed}</div>
          <div>
            {expiresAt === null ? t('token.never') : t('token.until', { time: formatTime(expiresAt) })}
            {' · '}
            {usedAt === 0 ? (
              t('token.unused')
            ) : (
              <>
                {t('token.used')} <TimeAgo at={usedAt} />
              </>
            )}
          </div>
        </>
      }
      actions={
        <ConfirmButton
          size="xs"
          title={t('token.revokeTitle')}
          question={t('token.revokeQuestion', { name })}
          confirmText={t('token.revoke')}
          loading={revoke.isPending}
          onConfirm={() => revoke.mutate({ params: { id } })}
        >
          {t('token.revoke')}
        </ConfirmButton>
      }
    />
  )
}

/** The single unnamed token that existing clients request: a new one replaces it. */
function SingleTokenSection({ onToken }: { readonly onToken: (token: string) => void }) {
  const { t } = useTranslation('account')
  const { mutate, isPending } = useWrite(accountRoutes.newAccessToken, { onSuccess: onToken })
  return (
    <AccountSection
      title={t('system.title')}
      hint={t('system.hint')}
      actions={
        <ConfirmButton
          size="sm"
          title={t('system.renewTitle')}
          question={t('system.renewQuestion')}
          confirmText={t('system.renew')}
          loading={isPending}
          onConfirm={() => mutate({})}
        >
          {t('system.renew')}
        </ConfirmButton>
      }
    />
  )
}
