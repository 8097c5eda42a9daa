import { Button, Group, Text, TextInput } from '@mantine/core'
import { redemptionRoutes, accountRoutes, planRoutes, walletRoutes, type ApiError } from '@tollgate/contract'
import { useState, type SubmitEvent } from 'react'

import { mask } from '../../../components/fields/secret-field'
import { ErrorText } from '../../../lib/api/error-text'
import { formatTime } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'
import { useFormat } from '../../../lib/text/use-format'
import { withSentence } from '../../../domain/payment/use-pay'
import { WalletCard } from './wallet-card'
import classes from './wallet.module.css'

interface RedeemCardProps {
  /** The code of the link that was opened. */
  readonly initialCode: string | undefined
  /** The code of the link was used, or another one is wanted. */
  readonly onForget: () => void
}

/** A short code is shown whole, to be compared with what was printed. */
const maxShownLength = 12

/** Redeems a code. */
export function RedeemCard({ initialCode, onForget }: RedeemCardProps) {
  const { t } = useTranslation('wallet')
  const { money } = useFormat()
  const [code, setCode] = useState(initialCode ?? '')
  const [fault, setFault] = useState<ApiError | 'empty'>()
  const redeem = useWrite(redemptionRoutes.redeemCode, {
    changes: [accountRoutes.getSelf, walletRoutes.statement, walletRoutes.expiringQuota, planRoutes.ownSubscriptions],
    onSuccess: ({ quota, is_gift: isGift, ends_at: endsAt, plan }) => {
      const done = plan
        ? t('redeem.donePlan', { plan })
        : t(isGift ? 'redeem.doneGift' : 'redeem.done', { quota: money(quota) })
      notifySuccess(endsAt > 0 && !plan ? `${done} ${t('redeem.expires', { time: formatTime(endsAt) })}` : done)
      setCode('')
      if (initialCode !== undefined) onForget()
    },
    onError: (error) => setFault(withSentence(error, t('requestFailed'))),
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setFault(code.trim() === '' ? 'empty' : undefined)
    if (code.trim() !== '') redeem.mutate({ body: { key: code.trim() } })
  }
  return (
    <WalletCard title={t('redeem.title')}>
      <form onSubmit={submit} noValidate>
        {initialCode === undefined ? (
          <TextInput
            label={t('redeem.code')}
            placeholder={t('redeem.placeholder')}
            autoComplete="off"
            spellCheck={false}
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
            error={faultText(fault, t('redeem.empty'))}
          />
        ) : (
          <>
            <Group gap={8} className={classes.recognised}>
              <Text size="sm">{t('redeem.recognised')}</Text>
              <Text ff="monospace" size="sm">
                {initialCode.length > maxShownLength ? mask(initialCode) : initialCode}
              </Text>
              <Button variant="subtle" size="compact-sm" onClick={onForget}>
                {t('redeem.change')}
              </Button>
            </Group>
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {faultText(fault, t('redeem.empty'))}
            </Text>
          </>
        )}
        <Button
          type="submit"
          variant={initialCode === undefined ? 'default' : 'filled'}
          size="sm"
          mt="sm"
          loading={redeem.isPending}
        >
          {t('redeem.action')}
        </Button>
      </form>
    </WalletCard>
  )
}

const faultText = (fault: ApiError | 'empty' | undefined, empty: string) =>
  fault === 'empty' ? empty : fault && <ErrorText error={fault} />
