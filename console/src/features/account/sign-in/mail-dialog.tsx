import { Button, Group, Modal, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { registrationRoutes, accountRoutes } from '@tollgate/contract'

import { FocusBack } from '../../../components/focus-back'
import { MailCodeFields } from '../../../domain/mail-code-fields'
import { showAtField } from '../../../lib/api/form-errors'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'

/** Links a mail address by a mailed code. */
export function MailDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('account')
  const form = useForm({
    initialValues: { email: '', code: '' },
    validate: {
      email: (value) => (value.trim() === '' ? t('mail.missing') : null),
      code: (value) => (value.trim() === '' ? t('mail.codeMissing') : null),
    },
  })
  const { mutate, isPending } = useWrite(registrationRoutes.bindMail, {
    changes: [accountRoutes.getSelf],
    onSuccess: () => {
      notifySuccess(t('mail.done'))
      onClose()
    },
    onError: showAtField(form, {
      'email.invalid': 'email',
      'email.domain': 'email',
      'email.alias': 'email',
      'email.taken': 'email',
      'code.wrong': 'code',
    }),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('mail.dialogTitle')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <form
        noValidate
        onSubmit={form.onSubmit(({ email, code }) => mutate({ body: { email: email.trim(), code: code.trim() } }))}
      >
        <Stack gap="md">
          <MailCodeFields
            form={form}
            label={t('mail.address')}
            email={form.getInputProps('email')}
            code={form.getInputProps('code')}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" size="sm" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" size="sm" loading={isPending}>
              {t('mail.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
