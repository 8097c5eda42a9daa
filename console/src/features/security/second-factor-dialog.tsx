import { Button, Group, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useForm } from '@mantine/form'
import { factorRoutes, type RouteAnswer, type SecondFactorAsked } from '@tollgate/contract'
import { useState } from 'react'

import { FocusBack } from '../../components/focus-back'
import { showAtField } from '../../lib/form-errors'
import { useTranslation } from '../../lib/i18n'
import { askForPasskey, canUsePasskeys } from '../../lib/passkey'
import { useWrite } from '../../lib/query'

interface SecondFactorDialogProps {
  readonly asked: SecondFactorAsked
  readonly onSignedIn: (user: RouteAnswer<typeof factorRoutes.completeLogIn>) => void
  readonly onClose: () => void
}

/** Asks for what a sign-in lacks: a code of an authenticator app, a recovery code or a passkey. */
export function SecondFactorDialog({ asked, onSignedIn, onClose }: SecondFactorDialogProps) {
  const { t } = useTranslation('security')
  const { token, factors, passkey } = asked
  const [kind, setKind] = useState<'totp' | 'recovery_code'>(factors.includes('totp') ? 'totp' : 'recovery_code')
  const other = kind === 'totp' ? 'recovery_code' : 'totp'
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim() === '' ? t('factor.missing') : null) },
  })
  const { mutate, isPending } = useWrite(factorRoutes.completeLogIn, {
    onSuccess: onSignedIn,
    onError: showAtField(form, { 'factor.wrong': 'code', 'login.expired': 'code' }),
  })
  const submit = form.onSubmit(({ code }) => mutate({ body: { token, proof: { kind, code } } }))
  const provePasskey = async () => {
    const answer = passkey && (await askForPasskey(passkey))
    if (answer) mutate({ body: { token, proof: { kind: 'passkey', answer } } })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('factor.title')}
      size="sm"
      zIndex={400}
      closeButtonProps={{ 'aria-label': t('factor.cancel') }}
    >
      <FocusBack />
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">{t(`factor.hint.${kind}`)}</Text>
          <TextInput
            key={kind}
            label={t(`factor.${kind}`)}
            autoComplete={kind === 'totp' ? 'one-time-code' : 'off'}
            inputMode={kind === 'totp' ? 'numeric' : 'text'}
            data-autofocus
            {...form.getInputProps('code')}
          />
          {factors.includes(other) && (
            <UnstyledButton type="button" onClick={() => setKind(other)}>
              <Text size="sm" td="underline">
                {t(`factor.instead.${other}`)}
              </Text>
            </UnstyledButton>
          )}
          {passkey && canUsePasskeys() && (
            <Button type="button" variant="default" size="sm" onClick={() => void provePasskey()}>
              {t('factor.passkey')}
            </Button>
          )}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" size="sm" onClick={onClose}>
              {t('factor.cancel')}
            </Button>
            <Button type="submit" size="sm" loading={isPending}>
              {t('factor.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
