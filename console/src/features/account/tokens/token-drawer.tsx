import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { accessTokenRoutes, isGrant, ownScopes, type RouteResult, type TokenScope } from '@tollgate/contract'
import dayjs from 'dayjs'

import { ChoiceSelect } from '../../../components/fields/choice-select'
import { FormDrawer } from '../../../components/dialogs/form-drawer'
import { withGrant } from '../../../domain/grant-choice'
import { TimeField } from '../../../components/fields/time-field'
import { showAtField } from '../../../lib/api/form-errors'
import { useTranslation } from '../../../lib/text/i18n'
import { useWrite } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'

interface TokenDrawerProps {
  readonly onCreated: (created: RouteResult<typeof accessTokenRoutes.createAccessToken>) => void
  readonly onClose: () => void
}

interface Values {
  readonly name: string
  readonly access: 'all' | 'some'
  readonly scopes: readonly TokenScope[]
  /** Text of the field; null: never. */
  readonly expiry: string | null
}

const maxNameLength = 50

/** Creates an access token with a name, permissions and expiry. */
export function TokenDrawer({ onCreated, onClose }: TokenDrawerProps) {
  const { t } = useTranslation('account', 'rights')
  const { grants } = useViewer()
  const form = useForm<Values>({
    initialValues: { name: '', access: 'all', scopes: [], expiry: null },
    validate: {
      name: (value) => (value.trim() === '' ? t('token.nameMissing') : null),
      expiry: (value) => (value !== null && dayjs(value).isBefore(dayjs()) ? t('token.expiryPast') : null),
    },
  })
  const { mutate, isPending } = useWrite(accessTokenRoutes.createAccessToken, {
    changes: [accessTokenRoutes.listAccessTokens],
    onSuccess: onCreated,
    onError: showAtField(form, { 'access_token.expiry': 'expiry' }),
  })
  const { access, scopes } = form.values
  return (
    <FormDrawer
      isOpen
      title={t('token.create')}
      saveText={t('token.submit')}
      isDirty={form.isDirty()}
      isSaving={isPending}
      onSave={form.onSubmit((values) =>
        mutate({
          body: {
            name: values.name.trim(),
            expires_at: values.expiry === null ? null : dayjs(values.expiry).unix(),
            scopes: values.access === 'all' ? null : [...values.scopes],
          },
        }),
      )}
      onClose={onClose}
    >
      <TextInput
        label={t('token.name')}
        description={t('token.nameHint')}
        maxLength={maxNameLength}
        withAsterisk
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TimeField
        label={t('token.expiry')}
        placeholder={t('token.never')}
        minDate={dayjs().format('YYYY-MM-DD')}
        {...form.getInputProps('expiry')}
      />
      <ChoiceSelect
        label={t('token.reach')}
        description={t(access === 'all' ? 'token.allHint' : 'token.reachHint')}
        value={access}
        choices={[
          { value: 'all', label: t('token.all') },
          { value: 'some', label: t('token.some') },
        ]}
        onChange={(chosen) => form.setFieldValue('access', chosen)}
      />
      {access === 'some' && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" role="group" aria-label={t('token.some')}>
          {[...ownScopes, ...grants].map((scope) => (
            <Checkbox
              key={scope}
              size="sm"
              label={t(`rights:grant.${scope}`)}
              checked={scopes.includes(scope)}
              onChange={({ currentTarget }) =>
                form.setFieldValue('scopes', withScope(scopes, scope, currentTarget.checked))
              }
            />
          ))}
        </SimpleGrid>
      )}
    </FormDrawer>
  )
}

/** Returns the scopes with one added or removed; grants bring those they need, and take those that need them. */
function withScope(held: readonly TokenScope[], scope: TokenScope, isHeld: boolean): readonly TokenScope[] {
  if (isGrant(scope))
    return [...held.filter((other) => !isGrant(other)), ...withGrant(held.filter(isGrant), scope, isHeld)]
  return isHeld ? [...held, scope] : held.filter((other) => other !== scope)
}
