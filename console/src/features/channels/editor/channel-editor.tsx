import type { channelRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { FormDrawer } from '../../../components/dialogs/form-drawer'
import { focusFirstFault } from '../../../lib/api/form-errors'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useChannelRights } from '../channel-data'
import { AdvancedFields } from './advanced-fields'
import { hasExtraVersion, type ProvenAddress } from './channel-form'
import { MainFields } from './main-fields'
import { ModelsField } from './models/models-field'
import { useChannelForm } from './use-channel-form'

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../components/dialogs/confirm-dialog')).ConfirmDialog,
}))

/** The specification's width of the panel. */
export const editorWidth = 600

export const titleOf = (isNew: boolean, mayWrite: boolean) =>
  isNew ? 'titleNew' : mayWrite ? 'titleEdit' : 'titleView'

interface ChannelEditorProps {
  /** Absent for a new channel. */
  readonly channel: channelRoutes.ChannelEntity | undefined
  readonly vendors: readonly channelRoutes.ChannelType[]
  readonly onClose: () => void
  readonly onCreated: (channel: channelRoutes.ChannelEntity) => void
}

/** The form of a channel, with the fields that its vendor declares. */
export function ChannelEditor({ channel, vendors, onClose, onCreated }: ChannelEditorProps) {
  const { t } = useTranslation('channel-editor')
  const { mayWrite } = useChannelRights()
  const [isAsking, setAsking] = useState(false)
  const [proven, setProven] = useState<ProvenAddress | undefined>()
  const { form, send, isSaving } = useChannelForm({
    channel,
    vendors,
    onSaved: (saved) => {
      if (!channel) return onCreated(saved)
      notifySuccess(t('saved', { name: saved.name }))
      return onClose()
    },
  })
  const vendor = vendors.find(({ type }) => type === form.values.type)
  const isVersionExtra = hasExtraVersion(form.values, vendor?.id, proven)
  const save = () => {
    const { hasErrors, errors } = form.validate()
    if (hasErrors) focusFirstFault(errors)
    else if (isVersionExtra) setAsking(true)
    else send()
  }
  return (
    <>
      <FormDrawer
        isOpen
        title={t(titleOf(!channel, mayWrite))}
        width={editorWidth}
        isDirty={form.isDirty()}
        isSaving={isSaving}
        isReadOnly={!mayWrite}
        onSave={save}
        onClose={onClose}
      >
        <MainFields form={form} channel={channel} vendor={vendor} vendors={vendors} hasExtraVersion={isVersionExtra} />
        <ModelsField form={form} channelId={channel?.id} vendor={vendor} onListed={setProven} />
        <AdvancedFields form={form} vendor={vendor} />
      </FormDrawer>
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            title={t('version.title')}
            question={t('version.question', { address: form.values.base_url })}
            confirmText={t('version.confirm')}
            isHarmless
            onConfirm={send}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}
