import { Button } from '@mantine/core'
import { deviceName, factorRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { StatusBadge } from '../../components/status-badge'
import { TimeAgo } from '../../components/time-ago'
import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess, notifyError, notifyWarning } from '../../lib/browser/notify'
import { canMakePasskeys, makePasskey } from '../../lib/browser/passkey'
import { useWrite, useRefresh } from '../../lib/api/query'
import { MeRow, AccountSection } from './account-section'
import { call, toApiError } from '../../lib/api/api'

const NameDialog = lazy(async () => ({ default: (await import('../../components/dialogs/name-dialog')).NameDialog }))

interface PasskeySectionProps {
  readonly factors: factorRoutes.Factors
  readonly onCodes: (codes: readonly string[]) => void
}

/** Passkeys of the account, or why it cannot have any. */
export function PasskeySection({ factors, onCodes }: PasskeySectionProps) {
  const { t } = useTranslation('account')
  const { passkeys, can_use_passkeys: hasAddress } = factors
  const { add, isAdding } = useAddPasskey(onCodes)
  const [isNaming, setNaming] = useState(false)
  const canAdd = hasAddress && canMakePasskeys()
  const obstacle = hasAddress ? t('passkey.oldBrowser') : t('passkey.noAddress')
  return (
    <AccountSection
      title={t('passkey.title')}
      hint={canAdd ? t('passkey.hint') : obstacle}
      actions={
        canAdd && (
          <Button
            variant={passkeys.length > 0 ? 'default' : 'filled'}
            size="sm"
            loading={isAdding}
            onClick={() => setNaming(true)}
          >
            {t('passkey.add')}
          </Button>
        )
      }
    >
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} />
      ))}
      {isNaming && (
        <Suspense>
          <NameDialog
            title={t('passkey.add')}
            hint={t('passkey.nameHint')}
            name={deviceName(navigator.userAgent)}
            taken={[]}
            onName={add}
            onClose={() => setNaming(false)}
          />
        </Suspense>
      )}
    </AccountSection>
  )
}

function PasskeyRow({ passkey }: { readonly passkey: factorRoutes.PasskeyEntity }) {
  const { id, name, created_at: createdAt, last_used_at: usedAt, is_backed_up: isBackedUp } = passkey
  const { t } = useTranslation('account')
  const [isNaming, setNaming] = useState(false)
  const changes = [factorRoutes.getFactors]
  const rename = useWrite(factorRoutes.renamePasskey, { changes })
  const remove = useWrite(factorRoutes.removePasskey, {
    changes,
    onSuccess: () => notifySuccess(t('passkey.removed')),
  })
  return (
    <MeRow
      name={
        <>
          {name}
          {isBackedUp && <StatusBadge tone="neutral">{t('passkey.synced')}</StatusBadge>}
        </>
      }
      details={
        <>
          {t('passkey.added', { time: formatTime(createdAt) })}
          {' · '}
          {usedAt === null ? t('passkey.neverUsed') : t('passkey.lastUsed')}{' '}
          {usedAt !== null && <TimeAgo at={usedAt} />}
        </>
      }
      actions={
        <>
          <Button
            variant="default"
            size="xs"
            aria-label={t('passkey.renameNamed', { name })}
            onClick={() => setNaming(true)}
          >
            {t('passkey.rename')}
          </Button>
          <ConfirmButton
            size="xs"
            title={t('passkey.removeTitle')}
            question={t('passkey.removeQuestion', { name })}
            confirmText={t('passkey.remove')}
            loading={remove.isPending}
            onConfirm={() => remove.mutate({ params: { id } })}
          >
            {t('passkey.remove')}
          </ConfirmButton>
          {isNaming && (
            <Suspense>
              <NameDialog
                title={t('passkey.rename')}
                name={name}
                taken={[]}
                onName={(newName) => rename.mutate({ params: { id }, body: { name: newName } })}
                onClose={() => setNaming(false)}
              />
            </Suspense>
          )}
        </>
      }
    />
  )
}

/** Creates a passkey in the browser and saves it under a name. */
function useAddPasskey(onCodes: (codes: readonly string[]) => void) {
  const { t } = useTranslation('account')
  const refresh = useRefresh()
  const [isAdding, setAdding] = useState(false)
  const begin = async (name: string) => {
    setAdding(true)
    try {
      const passkeyResponse = await makePasskey(await call(factorRoutes.beginPasskey))
      if (!passkeyResponse) return notifyWarning(t('passkey.notMade'))
      const { recovery_codes: codes } = await call(factorRoutes.addPasskey, { body: { name, answer: passkeyResponse } })
      notifySuccess(t('passkey.done'))
      if (codes) onCodes(codes)
      await refresh(factorRoutes.getFactors)
    } catch (error) {
      notifyError(toApiError(error))
    } finally {
      setAdding(false)
    }
  }
  return { isAdding, add: (name: string) => void begin(name) }
}
