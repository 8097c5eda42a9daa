import { Button } from '@mantine/core'
import { IconBan, IconCopy } from '@tabler/icons-react'
import { redemptionRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { copyText } from '../../lib/browser/copy-text'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess, notifyWarning } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { redemptionCodeReads, type RedemptionCode } from './redemption-code-data'

const ManualCopy = lazy(async () => ({ default: (await import('../../components/manual-copy')).ManualCopy }))

interface BulkActionsProps {
  readonly codes: readonly RedemptionCode[]
  readonly onDone: () => void
}

/** Actions for the selected codes; they say so when none of them is there any more. */
export function BulkActions({ codes, onDone }: BulkActionsProps) {
  const { t } = useTranslation('redemption-codes')
  const [refused, setRefused] = useState<string>()
  const disable = useWrite(redemptionRoutes.disableRedemptions, {
    changes: redemptionCodeReads,
    onSuccess: (count) => {
      notifySuccess(t('bulk.disabled', { count }))
      onDone()
    },
  })
  const needsSome = (act: () => void) => () => (codes.length === 0 ? notifyWarning(t('bulk.none')) : act())
  const copy = async () => {
    const text = codes.map(({ name, key }) => `${name}\t${key}`).join('\n')
    if (await copyText(text)) notifySuccess(t('bulk.copied', { count: codes.length }))
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
        onClick={needsSome(() => disable.mutate({ body: { ids: codes.map(({ id }) => id) } }))}
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
