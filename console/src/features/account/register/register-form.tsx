import { Button, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { passwordLength, registrationRoutes, type ApiError } from '@tollgate/contract'
import { useState } from 'react'

import { useBotCheck } from '../../../domain/bot-check/use-bot-check'
import { FormFailure } from '../../../components/dialogs/form-failure'
import { MailCodeFields } from '../../../domain/mail-code-fields'
import { UsernameInput } from '../../../components/fields/username-input'
import { focusFirstFault, showAtField } from '../../../lib/api/form-errors'
import { useTranslation, type Translate } from '../../../lib/text/i18n'
import { storedInvitation } from '../../../lib/url/invitation'
import { notifySuccess } from '../../../lib/browser/notify'
import { InvitationField } from './invitation-field'
import { useWrite } from '../../../lib/api/query'
import { useSite } from '../../../lib/api/status'
import { passwordFault } from '../../../lib/text/password-fault'

const untouched: RegisterValues = { username: '', password: '', again: '', email: '', code: '' }

/** Creates an account with a password. A mail address is asked for where the site can send a code. */
export function RegisterForm({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation('register')
  const { email_verification: isMailNeeded, mail_enabled: canMail, invitation_required: isInvitationNeeded } = useSite()
  const [failure, setFailure] = useState<ApiError | undefined>()
  const check = useBotCheck('register')
  const form = useForm<RegisterValues>({
    initialValues: untouched,
    validate: (values) => registerFaults(values, isMailNeeded, t),
  })
  const { mutate, isPending } = useWrite(registrationRoutes.register, {
    onSuccess: () => {
      storedInvitation.clear()
      notifySuccess(t('done'))
      onDone()
    },
    onError: (error) => {
      check.renew()
      showAtField(form, fieldOf, setFailure)(error)
    },
  })
  const submit = form.onSubmit((values) => {
    setFailure(undefined)
    if (check.mayGoOn()) mutate({ query: check.query, body: bodyOf(values) })
  }, focusFirstFault)
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {isInvitationNeeded && <InvitationField />}
        <UsernameInput label={t('username')} description={t('usernameHint')} {...form.getInputProps('username')} />
        <PasswordInput
          label={t('password')}
          description={t('common:password.hint', passwordLength)}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PasswordInput label={t('again')} autoComplete="new-password" {...form.getInputProps('again')} />
        {(canMail || isMailNeeded) && (
          <MailCodeFields
            label={t(isMailNeeded ? 'email' : 'emailOptional')}
            hint={t('emailHint')}
            email={form.getInputProps('email')}
            code={form.getInputProps('code')}
            form={form}
          />
        )}
        {check.widget}
        <FormFailure error={failure} />
        <Button type="submit" size="sm" loading={isPending}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  )
}

/** Returns the body; without an address on sites without mail, and with the invitation that the visitor came by. */
function bodyOf({ username, password, again, email, code }: RegisterValues) {
  const invitation = storedInvitation.get().trim()
  return {
    username: username.trim(),
    password,
    password2: again,
    ...(email.trim() !== '' && { email: email.trim(), verification_code: code.trim() }),
    ...(invitation !== '' && { aff_code: invitation }),
  }
}

const fieldOf = {
  'user.username': 'username',
  'user.exists': 'username',
  'user.password': 'password',
  'user.password_mismatch': 'again',
  'register.email_needed': 'email',
  'email.invalid': 'email',
  'email.domain': 'email',
  'email.alias': 'email',
  'email.taken': 'email',
  'code.wrong': 'code',
} as const

interface RegisterValues {
  readonly username: string
  readonly password: string
  readonly again: string
  readonly email: string
  readonly code: string
}

const maxUsernameLength = 20

/** Returns a sentence for each invalid field. A given mail address requires its code. */
function registerFaults(
  { username, password, again, email, code }: RegisterValues,
  isMailNeeded: boolean,
  t: Translate<'register'>,
): Record<string, string> {
  const faults: Record<string, string> = {}
  const name = username.trim()
  if (name === '') faults['username'] = t('fault.username')
  else if (Array.from(name).length > maxUsernameLength || name.includes('@')) faults['username'] = t('fault.name')
  const fault = passwordFault(password)
  if (fault) faults['password'] = fault
  if (again !== password) faults['again'] = t('fault.mismatch')
  const hasMail = email.trim() !== ''
  if (isMailNeeded && !hasMail) faults['email'] = t('fault.email')
  if ((isMailNeeded || hasMail) && code.trim() === '') faults['code'] = t('fault.code')
  return faults
}
