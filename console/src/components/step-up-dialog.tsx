import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { selfRoutes, type StepUpPurpose } from '@tollgate/contract'

import { showAtField } from '../lib/form-errors'
import { useTranslation } from '../lib/i18n'
import { useWrite } from '../lib/query'
import { FocusBack } from './focus-back'

interface StepUpDialogProps {
  readonly purpose: StepUpPurpose
  readonly onProven: (proof: string) => void
  readonly onClose: () => void
}

/** Asks for the password again before something that a stolen session must not be enough for. */
export function StepUpDialog({ purpose, onProven, onClose }: StepUpDialogProps) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? t('stepUp.missing') : null) },
  })
  const { mutate, isPending } = useWrite(selfRoutes.stepUp, {
    onSuccess: ({ proof }) => onProven(proof),
    onError: showAtField(form, { 'user.password_original': 'password' }),
  })
  const submit = form.onSubmit(({ password }) => mutate({ body: { purpose, password } }))
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('stepUp.title')}
      size="sm"
      // Above drawers and other dialogs: the act that asks may have been begun in one.
      zIndex={400}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <FocusBack />
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">{t(`stepUp.purpose.${purpose}`)}</Text>
          <PasswordInput
            label={t('stepUp.password')}
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" size="sm" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" size="sm" loading={isPending}>
              {t('stepUp.confirm')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
