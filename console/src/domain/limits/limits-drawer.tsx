import { Text } from '@mantine/core'
import type { ApiError } from '@tollgate/contract'
import { useState } from 'react'

import { FormDrawer, LoadedDrawer } from '../../components/dialogs/form-drawer'
import { FormFailure } from '../../components/dialogs/form-failure'
import { notifySuccess } from '../../lib/browser/notify'
import { useTranslation } from '../../lib/text/i18n'
import { LimitsEditor, useLimitsEditor } from './limits-editor'
import { useLimits, useSaveLimits, type LimitSettings, type LimitsOwner } from './limits-data'
import type { Standing } from './standings-data'

interface LimitsDrawerProps {
  readonly owner: LimitsOwner
  readonly isReadOnly?: boolean
  readonly onClose: () => void
}

/** Edits all limits of an owner. */
export function LimitsDrawer({ owner, ...rest }: LimitsDrawerProps) {
  const { t } = useTranslation('limits')
  const title = t(`title.${owner.owner}`, { name: owner.name })
  const read = useLimits(owner, { staleTime: 0 })
  return (
    <LoadedDrawer title={title} read={read} onClose={rest.onClose}>
      {({ windows, standings }) => (
        <EditedLimits title={title} owner={owner} windows={windows} standings={standings} {...rest} />
      )}
    </LoadedDrawer>
  )
}

interface EditedLimitsProps extends LimitsDrawerProps {
  readonly title: string
  readonly windows: readonly LimitSettings[]
  readonly standings: readonly Standing[]
}

function EditedLimits({ title, owner, windows, standings, isReadOnly = false, onClose }: EditedLimitsProps) {
  const { t } = useTranslation('limits')
  const editor = useLimitsEditor(windows, owner.owner)
  const [failure, setFailure] = useState<ApiError>()
  const { save, isSaving } = useSaveLimits(owner, {
    onSuccess: () => {
      notifySuccess(t('saved'))
      onClose()
    },
    onError: (error) => {
      const { field } = error
      if (!field?.startsWith('windows.')) return setFailure(error)
      editor.form.setFieldError(field, error.message)
      editor.showFaults({ [field]: error.message })
    },
  })
  return (
    <FormDrawer
      isOpen
      title={title}
      isDirty={editor.form.isDirty()}
      isSaving={isSaving}
      isReadOnly={isReadOnly}
      onSave={editor.form.onSubmit(() => {
        setFailure(undefined)
        save(editor.settings())
      }, editor.showFaults)}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t(`hint.${owner.owner}`)}
      </Text>
      <LimitsEditor editor={editor} owner={owner} standings={standings} isReadOnly={isReadOnly} />
      <FormFailure error={failure} />
    </FormDrawer>
  )
}
