import { SimpleGrid, TextInput } from '@mantine/core'
import type { userRoutes } from '@tollgate/contract'
import { useTranslation } from '../../lib/text/i18n'

import { useIdentities } from './identities'

/** The mail address and external accounts, which only the user can link. */
export function IdentityFields({ user }: { readonly user: userRoutes.UserEntity }) {
  const { t } = useTranslation('users')
  const shown = [{ field: 'email', name: t('column.email') } as const, ...useIdentities()]
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {shown.map(({ field, name }) => (
        <TextInput
          key={field}
          label={name}
          value={user[field]}
          placeholder={t('identity.none')}
          readOnly
          variant="filled"
        />
      ))}
    </SimpleGrid>
  )
}
