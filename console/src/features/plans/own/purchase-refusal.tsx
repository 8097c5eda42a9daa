import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ApiError } from '@tollgate/contract'

import { FormFailure } from '../../../components/dialogs/form-failure'
import { useTranslation } from '../../../lib/text/i18n'

/** Why a plan was not sold. What the gateway says of a balance is worded for calls. */
export function PurchaseRefusal({ error }: { readonly error: ApiError | undefined }) {
  const { t } = useTranslation('own-plans')
  if (error?.code !== 'quota.user') return <FormFailure error={error} />
  return (
    <Text c="var(--mantine-color-error)" size="sm" role="alert">
      {t('order.refused')}
    </Text>
  )
}

export function TopUpButton() {
  const { t } = useTranslation('own-plans')
  return (
    <Button size="sm" renderRoot={(props) => <Link to="/app/wallet" {...props} />}>
      {t('order.topUp')}
    </Button>
  )
}
