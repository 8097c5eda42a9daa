import { useForm } from '@mantine/form'
import { channelRoutes } from '@tollgate/contract'

import { showAtField } from '../../../../lib/api/form-errors'
import { useTranslation } from '../../../../lib/text/i18n'
import { notifySuccess, notifyWarning } from '../../../../lib/browser/notify'
import { useWrite } from '../../../../lib/api/query'
import { objectOf } from '../setting-text'
import { channelReads } from '../../channel-data'

const fieldOf = {
  'channel.models': 'models',
  'channel.model_long': 'models',
  'channel.group': 'groups',
  'channel.model_mapping': 'model_mapping',
  'channel.model_mapping_cycle': 'model_mapping',
} as const satisfies Readonly<Record<string, keyof TagForm>>

interface Options {
  readonly tag: string
  /** The longest list among the tag's channels: the initial value of the form. */
  readonly models: readonly string[]
  readonly onSaved: () => void
}

export function useTagForm({ tag, models, onSaved }: Options) {
  const { t } = useTranslation('channel-editor')
  const before: TagForm = { new_tag: tag, models: [...models], groups: [], model_mapping: '' }
  const form = useForm<TagForm>({
    initialValues: before,
    validate: { model_mapping: (text) => (objectOf(text) ? null : t('fault.model_mapping')) },
  })
  const update = useWrite(channelRoutes.updateTag, {
    changes: [...channelReads, channelRoutes.tagModels],
    onSuccess: (count) => {
      notifySuccess(t('tag.saved', { count }))
      onSaved()
    },
    onError: showAtField(form, fieldOf),
  })
  const changes = tagChanges(before, form.values)
  const save = () => {
    if (form.validate().hasErrors) return
    if (Object.keys(changes).length === 0) notifyWarning(t('tag.unchanged'))
    else update.mutate({ body: { tag, ...changes } })
  }
  return { form, changes, save, isSaving: update.isPending }
}

/** The values of the tag editor. */
interface TagForm {
  /** The tag's name; empty removes the tag. */
  new_tag: string
  models: string[]
  /** Empty leaves each channel's own, as an empty mapping does. */
  groups: string[]
  model_mapping: string
}

interface TagChanges {
  readonly new_tag?: string
  readonly models?: string
  readonly groups?: string
  readonly model_mapping?: string
}

/** Returns what changed; a cleared list is not a change, since a channel always keeps one. */
function tagChanges(before: TagForm, after: TagForm): TagChanges {
  const name = after.new_tag.trim()
  const models = after.models.join(',')
  return {
    ...(name !== before.new_tag && { new_tag: name }),
    ...(models !== '' && models !== before.models.join(',') && { models }),
    ...(after.groups.length > 0 && { groups: after.groups.join(',') }),
    ...(after.model_mapping.trim() !== '' && { model_mapping: after.model_mapping }),
  }
}
