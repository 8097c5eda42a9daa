import { Paper, Text, Title } from '@mantine/core'
import type { userRoutes } from '@tollgate/contract'
import { useId } from 'react'

import { BillingForm } from '../../../../domain/billing/billing-form'
import { useTranslation } from '../../../../lib/text/i18n'
import { notifySuccess } from '../../../../lib/browser/notify'
import classes from '../me.module.css'

/** Whom invoices and statements name as the customer. */
export function BillingSection({ account }: { readonly account: userRoutes.UserEntity }) {
  const { t } = useTranslation('document')
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id} className={classes.form}>
      <Title order={2} fz="md" id={id}>
        {t('billing.title')}
      </Title>
      <Text size="sm" c="dimmed" mt={2} mb="md">
        {t('billing.hint')}
      </Text>
      <BillingForm account={account} action={t('common:save')} onSaved={() => notifySuccess(t('billing.saved'))} />
    </Paper>
  )
}
