import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { passwordLength, accountRoutes } from '@tollgate/contract'

import { FocusBack } from '../../../components/focus-back'
import { showAtField } from '../../../lib/api/form-errors'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { passwordFault } from '../../../lib/text/password-fault'
import { useWrite } from '../../../lib/api/query'

/** The administrator still has the well-known default password: change it right here. */
export function DefaultPasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('login')
  const form = useForm({
    initialValues: { original: '', password: '', again: '' },
    validate: {
      password: passwordFault,
      again: (value, { password }) => (value === password ? null : t('fault.mismatch')),
    },
  })
  const { mutate, isPending } = useWrite(accountRoutes.updateSelf, {
    onSuccess: () => {
      notifySuccess(t('changed'))
      onClose()
    },
    onError: showAtField(form, { 'user.password': 'password', 'user.password_original': 'original' }),
  })
  const submit = form.onSubmit(({ original, password }) => mutate({ body: { password, original_password: original } }))
  return (
    <Modal opened onClose={onClose} title={t('default.title')} closeButtonProps={{ 'aria-label': t('default.later') }}>
      <FocusBack />
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">{t('default.hint')}</Text>
          <PasswordInput
            label={t('default.original')}
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('original')}
          />
          <PasswordInput
            label={t('default.password')}
            description={t('common:password.hint', passwordLength)}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <PasswordInput label={t('default.again')} autoComplete="new-password" {...form.getInputProps('again')} />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" size="sm" onClick={onClose}>
              {t('default.later')}
            </Button>
            <Button type="submit" size="sm" loading={isPending}>
              {t('default.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
