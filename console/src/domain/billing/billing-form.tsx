import { Button, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { readUserSetting, accountRoutes, type userRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { useWrite } from '../../lib/api/query'

interface BillingFormProps {
  readonly account: userRoutes.UserEntity
  readonly action: string
  readonly onSaved: () => void
}

/** The customer's details on documents that are issued from now on. */
export function BillingForm({ account, action, onSaved }: BillingFormProps) {
  const { t } = useTranslation('document')
  const setting = readUserSetting(account)
  const form = useForm({
    initialValues: {
      billing_name: setting.billing_name || account.display_name || account.username,
      billing_address: setting.billing_address,
      billing_tax_id: setting.billing_tax_id,
    },
    validate: { billing_name: (name) => (name.trim() === '' ? t('billing.nameMissing') : null) },
  })
  const save = useWrite(accountRoutes.updateSetting, { changes: [accountRoutes.getSelf], onSuccess: onSaved })
  return (
    <form noValidate onSubmit={form.onSubmit((body) => save.mutate({ body }))}>
      <Stack gap="md" maw={480}>
        <TextInput
          label={t('billing.name')}
          autoComplete="organization"
          maxLength={200}
          data-autofocus
          {...form.getInputProps('billing_name')}
        />
        <Textarea
          label={t('billing.address')}
          autoComplete="street-address"
          autosize
          minRows={2}
          maxRows={5}
          maxLength={500}
          {...form.getInputProps('billing_address')}
        />
        <TextInput
          label={t('billing.taxId')}
          description={t('billing.taxIdHint')}
          autoComplete="off"
          maxLength={60}
          {...form.getInputProps('billing_tax_id')}
        />
        <div>
          <Button type="submit" size="sm" loading={save.isPending}>
            {action}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
