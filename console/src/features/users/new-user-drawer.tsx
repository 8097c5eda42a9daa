import { userRoutes } from '@tollgate/contract'
import { useTranslation } from '../../lib/text/i18n'

import { FormDrawer } from '../../components/dialogs/form-drawer'
import { showAtField } from '../../lib/api/form-errors'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { NameAndPassword } from './name-and-password'
import { fieldOfRefusal, newUserValues, useUserForm } from './user-form'
import { userReads } from './user-data'

/** Creates an account, which gets the quota of new users. */
export function NewUserDrawer({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('users')
  const form = useUserForm(newUserValues)
  const create = useWrite(userRoutes.createUser, {
    changes: userReads,
    onSuccess: ({ username }) => {
      notifySuccess(t('created', { name: username }))
      onClose()
    },
    onError: showAtField(form, fieldOfRefusal),
  })
  return (
    <FormDrawer
      isOpen
      title={t('add')}
      isDirty={form.isDirty()}
      isSaving={create.isPending}
      saveText={t('add')}
      onSave={form.onSubmit(({ username, displayName, password }) =>
        create.mutate({ body: { username: username.trim(), display_name: displayName.trim(), password } }),
      )}
      onClose={onClose}
    >
      <NameAndPassword form={form} isNew />
    </FormDrawer>
  )
}
