import { Button, Group, Modal, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { accessTokenRoutes, factorRoutes, passwordLength, accountRoutes, sessionRoutes } from '@tollgate/contract'

import { FocusBack } from '../../../components/focus-back'
import { showAtField } from '../../../lib/api/form-errors'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { passwordFault } from '../../../lib/text/password-fault'
import { useWrite } from '../../../lib/api/query'

interface PasswordDialogProps {
  readonly hasPassword: boolean
  readonly onClose: () => void
}

/** Changes the password: the new one typed twice, beside the current one. */
export function PasswordDialog({ hasPassword, onClose }: PasswordDialogProps) {
  const { t } = useTranslation('account')
  const form = useForm({
    initialValues: { current: '', password: '', again: '' },
    validate: {
      current: (value) => (hasPassword && value === '' ? t('password.missing') : null),
      password: passwordFault,
      again: (value, { password }) => (value === password ? null : t('password.mismatch')),
    },
  })
  const { mutate, isPending } = useWrite(accountRoutes.updateSelf, {
    changes: [factorRoutes.getFactors, sessionRoutes.listSessions, accessTokenRoutes.listAccessTokens],
    onSuccess: () => {
      notifySuccess(t('password.done'))
      onClose()
    },
    onError: showAtField(form, { 'user.password_original': 'current', 'user.password': 'password' }),
  })
  const toggle = { 'aria-label': t('password.show') }
  return (
    <Modal
      opened
      onClose={onClose}
      size="sm"
      title={t(hasPassword ? 'password.change' : 'password.set')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <form
        noValidate
        onSubmit={form.onSubmit(({ current, password }) =>
          mutate({ body: { password, ...(hasPassword && { original_password: current }) } }),
        )}
      >
        <Stack gap="md">
          {hasPassword && (
            <PasswordInput
              label={t('password.current')}
              autoComplete="current-password"
              data-autofocus
              visibilityToggleButtonProps={toggle}
              {...form.getInputProps('current')}
            />
          )}
          <PasswordInput
            label={t('password.new')}
            description={t('common:password.hint', passwordLength)}
            autoComplete="new-password"
            data-autofocus={!hasPassword || undefined}
            visibilityToggleButtonProps={toggle}
            {...form.getInputProps('password')}
          />
          <PasswordInput
            label={t('password.again')}
            autoComplete="new-password"
            visibilityToggleButtonProps={toggle}
            {...form.getInputProps('again')}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" size="sm" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" size="sm" loading={isPending}>
              {t(hasPassword ? 'password.change' : 'password.set')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
