import { accountRoutes, type RouteResult } from '@tollgate/contract'

import { FormDrawer, LoadedDrawer } from '../../components/dialogs/form-drawer'
import { showAtField } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess, notifyWarning } from '../../lib/browser/notify'
import { useRead, useWrite } from '../../lib/api/query'
import { storedUser } from '../../lib/api/session'
import { NameAndPassword } from './name-and-password'
import { editOf, fieldOfRefusal, valuesOf, useUserForm } from './user-form'

/** Edits the reader's own account, without group and balance. */
export function OwnProfileDrawer({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('users')
  const read = useRead(accountRoutes.getSelf, {}, { staleTime: 0 })
  return (
    <LoadedDrawer title={t('own')} read={read} onClose={onClose}>
      {(user) => <OwnProfile user={user} onClose={onClose} />}
    </LoadedDrawer>
  )
}

interface OwnProfileProps {
  readonly user: RouteResult<typeof accountRoutes.getSelf>
  readonly onClose: () => void
}

function OwnProfile({ user, onClose }: OwnProfileProps) {
  const { t } = useTranslation('users')
  const form = useUserForm(valuesOf(user), user)
  const update = useWrite(accountRoutes.updateSelf, {
    changes: [accountRoutes.getSelf],
    onSuccess: (_data, { body }) => {
      const signedIn = storedUser.get()
      if (signedIn)
        storedUser.set({
          ...signedIn,
          username: body?.username ?? signedIn.username,
          display_name: body?.display_name ?? signedIn.display_name,
        })
      notifySuccess(t('ownSaved'))
      onClose()
    },
    onError: showAtField(form, fieldOfRefusal),
  })
  return (
    <FormDrawer
      isOpen
      title={t('own')}
      isDirty={form.isDirty()}
      isSaving={update.isPending}
      onSave={form.onSubmit((values) => {
        const { id: _id, ...body } = editOf(user, values)
        if (Object.keys(body).length === 0) notifyWarning(t('unchanged'))
        else update.mutate({ body })
      })}
      onClose={onClose}
    >
      <NameAndPassword form={form} />
    </FormDrawer>
  )
}
