import { Checkbox, Stack, Text } from '@mantine/core'
import type { messageRoutes, RouteResult } from '@tollgate/contract'

import { ChoiceSelect } from '../../components/fields/choice-select'
import { GroupSelect } from '../../components/combobox/group-select'
import { ModelSelect } from '../../components/combobox/model-select'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useSite } from '../../lib/api/status'
import { audienceKinds, roleNames } from './audience'
import { RecipientPicker } from './recipient-picker'
import type { MessageForm } from './message-form'
import { typedChoice } from '../../components/combobox/choice'

interface AudienceFieldsProps {
  readonly form: MessageForm
  /** Size of the chosen audience. */
  readonly counted: RouteResult<typeof messageRoutes.countAudience> | undefined
}

/** Any name is accepted where the reader may not see the list. */
/** The recipients, and whether they also get a mail. */
export function AudienceFields({ form, counted }: AudienceFieldsProps) {
  const { t } = useTranslation('messages')
  const { may } = useViewer()
  const { mail_enabled: hasMail } = useSite()
  const { kind } = form.values
  return (
    <Stack gap="sm">
      <ChoiceSelect
        label={t('field.recipients')}
        description={kind === 'users' ? undefined : t('hint.fixed')}
        error={form.errors['kind']}
        value={kind}
        choices={audienceKinds.map((value) => ({ value, label: t(`audience.${value}`) }))}
        onChange={(chosen) => form.setFieldValue('kind', chosen)}
      />
      {kind === 'users' && (
        <RecipientPicker
          chosen={form.values.users}
          error={form.errors['users']}
          onChange={(users) => form.setFieldValue('users', users)}
        />
      )}
      {kind === 'group' && (
        <GroupSelect label={t('field.group')} withAsterisk free={typedChoice} {...form.getInputProps('group')} />
      )}
      {kind === 'role' && (
        <ChoiceSelect
          label={t('field.role')}
          value={form.values.role}
          choices={roleNames.map((value) => ({ value, label: t(`role.${value}`) }))}
          onChange={(role) => form.setFieldValue('role', role)}
        />
      )}
      {kind === 'model' && (
        <ModelSelect
          of={may(['channels.read', 'prices.read']) ? 'site' : 'reader'}
          label={t('field.model')}
          description={t('hint.model')}
          withAsterisk
          free={typedChoice}
          {...form.getInputProps('model')}
        />
      )}
      <Text size="sm" mih={20} role="status" className="figures">
        {counted && t('audience.count', { count: counted.count })}
      </Text>
      <Checkbox
        size="sm"
        label={t('field.sendMail')}
        description={hasMail ? counted && t('hint.withMail', { count: counted.with_mail }) : t('hint.noMail')}
        disabled={!hasMail}
        {...form.getInputProps('sendMail', { type: 'checkbox' })}
      />
    </Stack>
  )
}
