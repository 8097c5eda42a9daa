import { Button } from '@mantine/core'
import { IconBan, IconCopy } from '@tabler/icons-react'
import { redemptionRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { copyText } from '../../lib/browser/copy-text'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess, notifyWarning } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { couponReads, type Coupon } from './redemption-code-data'

const ManualCopy = lazy(async () => ({ default: (await import('../../components/manual-copy')).ManualCopy }))

interface BulkActionsProps {
  readonly coupons: readonly Coupon[]
  readonly onDone: () => void
}

/** Actions for the selected codes; they say so when none of them is there any more. */
export function BulkActions({ coupons, onDone }: BulkActionsProps) {
  const { t } = useTranslation('coupons')
  const [refused, setRefused] = useState<string>()
  const disable = useWrite(redemptionRoutes.disableRedemptions, {
    changes: couponReads,
    onSuccess: (count) => {
      notifySuccess(t('bulk.disabled', { count }))
      onDone()
    },
  })
  const needsSome = (act: () => void) => () => (coupons.length === 0 ? notifyWarning(t('bulk.none')) : act())
  const copy = async () => {
    const text = coupons.map(({ name, key }) => `${name}\t${key}`).join('\n')
    if (await copyText(text)) notifySuccess(t('bulk.copied', { count: coupons.length }))
    else setRefused(text)
  }
  return (
    <>
      <Button variant="default" leftSection={<IconCopy size={14} />} onClick={needsSome(() => void copy())}>
        {t('bulk.copy')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconBan size={14} />}
        loading={disable.isPending}
        onClick={needsSome(() => disable.mutate({ body: { ids: coupons.map(({ id }) => id) } }))}
      >
        {t('bulk.disable')}
      </Button>
      {refused !== undefined && (
        <Suspense>
          <ManualCopy text={refused} onClose={() => setRefused(undefined)} />
        </Suspense>
      )}
    </>
  )
}
