import { Alert, Skeleton, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { channelRoutes, pageIn } from '@tollgate/contract'

import { GroupsSelect } from '../../../components/combobox/groups-select'
import { ErrorState } from '../../../components/page/state-message'
import { FocusBack } from '../../../components/focus-back'
import { FormDrawer } from '../../../components/dialogs/form-drawer'
import { JsonField } from '../json-field'
import { TagsField } from '../../../components/fields/tags-field'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead, useWrite } from '../../../lib/api/query'
import { listOf, objectOf } from './channel-form'
import { showAtField } from '../../../lib/api/form-errors'
import { notifySuccess, notifyWarning } from '../../../lib/browser/notify'
import { channelReads } from '../channel-data'

interface TagDrawerProps {
  readonly tag: string
  readonly onClose: () => void
}

/** Edits all channels of a tag. */
export function TagDrawer(props: TagDrawerProps) {
  return (
    <>
      <FocusBack />
      <OpenDrawer {...props} />
    </>
  )
}

function OpenDrawer({ tag, onClose }: TagDrawerProps) {
  const { t } = useTranslation('channel-editor')
  const { data, error, isFetching, refetch } = useRead(channelRoutes.tagModels, { query: { tag } }, { staleTime: 0 })
  const [models, setModels] = useState<readonly string[] | undefined>()
  if (!models && data !== undefined && !isFetching) setModels(listOf(data))
  if (models) return <TagEditor tag={tag} models={models} onClose={onClose} />
  return (
    <FormDrawer
      isOpen
      title={t('tag.title', { tag })}
      isDirty={false}
      isSaving={!error}
      onSave={() => void refetch()}
      onClose={onClose}
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        Array.from({ length: 4 }, (_, row) => <Skeleton key={row} height={36} mt="md" />)
      )}
    </FormDrawer>
  )
}

interface TagEditorProps extends TagDrawerProps {
  readonly models: readonly string[]
}

function TagEditor({ tag, models, onClose }: TagEditorProps) {
  const { t } = useTranslation('channel-editor')
  const { form, changes, save, isSaving } = useTagForm({ tag, models, onSaved: onClose })
  const { error: mappingError, ...mapping } = form.getInputProps('model_mapping')
  return (
    <FormDrawer
      isOpen
      title={t('tag.title', { tag })}
      isDirty={form.isDirty()}
      isSaving={isSaving}
      onSave={save}
      onClose={onClose}
    >
      <AffectedChannels tag={tag} changed={Object.keys(changes)} />
      <TextInput
        {...form.getInputProps('new_tag')}
        label={t('tag.name')}
        description={t('tag.nameHint')}
        maxLength={255}
        data-autofocus
      />
      <TagsField
        {...form.getInputProps('models')}
        label={t('models.label', { count: form.values.models.length })}
        description={t('tag.modelsHint')}
      />
      <GroupsSelect {...form.getInputProps('groups')} label={t('field.groups')} description={t('tag.unchangedHint')} />
      <JsonField
        {...mapping}
        value={form.values.model_mapping}
        error={typeof mappingError === 'string' ? mappingError : undefined}
        label={t('advanced.model_mapping')}
        description={t('tag.unchangedHint')}
        example={{ 'requested-model': 'upstream-model' }}
      />
    </FormDrawer>
  )
}

const maxNamed = 8

/** How many channels a save changes, and in which fields. */
function AffectedChannels({ tag, changed }: { readonly tag: string; readonly changed: readonly string[] }) {
  const { t } = useTranslation('channel-editor')
  const { data } = useRead(
    channelRoutes.searchChannels,
    { query: { tag, p: 1, page_size: maxNamed } },
    { select: pageIn },
  )
  if (!data) return <Skeleton height={52} />
  const names = data.items.map(({ name }) => name).join(', ')
  return (
    <Alert color={changed.length > 0 ? 'yellow' : 'gray'} styles={{ message: { overflowWrap: 'anywhere' } }}>
      {t(changed.length > 0 ? 'tag.willChange' : 'tag.channels', { count: data.total })}{' '}
      {t(data.total > data.items.length ? 'tag.namesMore' : 'tag.names', { names })}
    </Alert>
  )
}

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

function useTagForm({ tag, models, onSaved }: Options) {
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
