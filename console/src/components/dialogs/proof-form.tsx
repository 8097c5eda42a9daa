import { Button, Group, PasswordInput, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { canUsePasskeys } from '../../lib/browser/passkey'

/** A proof of identity that is typed. */
export type TypedProof = 'password' | 'totp' | 'recovery_code'

/** The form of a `ProofForm`, kept by the parent, which shows server errors at `code`. */
export function useProofForm() {
  const { t } = useTranslation('security')
  return useForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim() === '' ? t('factor.missing') : null) },
  })
}

interface ProofFormProps {
  readonly form: ReturnType<typeof useProofForm>
  /** In display order. */
  readonly kinds: readonly TypedProof[]
  readonly passwordHint?: string
  readonly isPending: boolean
  readonly onCode: (kind: TypedProof, code: string) => void
  /** Set if the account has passkeys. */
  readonly onPasskey?: () => void
  readonly onClose: () => void
}

/** Asks for a password or a code, one at a time, and offers the alternatives. */
export function ProofForm({ form, kinds, passwordHint, isPending, onCode, onPasskey, onClose }: ProofFormProps) {
  const { t } = useTranslation('security')
  const [chosen, setChosen] = useState<TypedProof | undefined>()
  const kind = chosen ?? kinds[0]
  const choose = (other: TypedProof) => {
    form.reset()
    setChosen(other)
  }
  return (
    <form onSubmit={form.onSubmit(({ code }) => kind && onCode(kind, code))} noValidate>
      <Stack gap="md">
        <Text size="sm">
          {kind === 'password' ? passwordHint : t(kind ? `factor.hint.${kind}` : 'factor.hint.passkey')}
        </Text>
        {kind === 'password' && (
          <PasswordInput
            key={kind}
            label={t('factor.password')}
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('code')}
          />
        )}
        {(kind === 'totp' || kind === 'recovery_code') && (
          <TextInput
            key={kind}
            label={t(`factor.${kind}`)}
            autoComplete={kind === 'totp' ? 'one-time-code' : 'off'}
            inputMode={kind === 'totp' ? 'numeric' : 'text'}
            data-autofocus
            {...form.getInputProps('code')}
          />
        )}
        {kinds.map(
          (other) =>
            other !== kind && (
              <UnstyledButton key={other} type="button" onClick={() => choose(other)}>
                <Text size="sm" td="underline">
                  {t(`factor.instead.${other}`)}
                </Text>
              </UnstyledButton>
            ),
        )}
        {onPasskey && canUsePasskeys() && (
          <Button type="button" variant="default" size="sm" onClick={onPasskey}>
            {t('factor.passkey')}
          </Button>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" size="sm" onClick={onClose}>
            {t('factor.cancel')}
          </Button>
          {kind && (
            <Button type="submit" size="sm" loading={isPending}>
              {t(kind === 'password' ? 'factor.confirm' : 'factor.submit')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
