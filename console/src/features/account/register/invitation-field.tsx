import { TextInput } from '@mantine/core'

import { useStored } from '../../../lib/browser/stored-value'
import { useTranslation } from '../../../lib/text/i18n'
import { storedInvitation } from '../../../lib/url/invitation'

const maxCodeLength = 64

/** The invitation code that a site requires, for every way to register. That of a link is filled in. */
export function InvitationField() {
  const { t } = useTranslation('register')
  const [code, setCode] = useStored(storedInvitation)
  return (
    <TextInput
      label={t('invitation')}
      description={t('invitationHint')}
      autoComplete="off"
      spellCheck={false}
      maxLength={maxCodeLength}
      value={code}
      onChange={({ currentTarget }) => setCode(currentTarget.value)}
    />
  )
}
