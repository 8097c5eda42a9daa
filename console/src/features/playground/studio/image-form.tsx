import { Button, Textarea } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'

import { ChoiceSelect } from '../../../components/choice-select'
import { choicesOf } from '../../../components/combobox/choice'
import { OwnGroupSelect } from '../../../components/combobox/group-select'
import { SearchSelect } from '../../../components/combobox/search-select'
import { useTranslation } from '../../../lib/i18n'
import { useViewer } from '../../../lib/session'
import type { ImageRequest } from './make-images'
import classes from './studio.module.css'
import { firstModel, type InitialRequest } from './initial-request'

const sizes = ['1024x1024', '1536x1024', '1024x1536', '1792x1024', '1024x1792', '512x512', '256x256']
const qualities = ['low', 'medium', 'high', 'standard', 'hd'] as const
const counts = ['1', '2', '3', '4', '6', '8', '10']
const wholeLine = { gridColumn: '1 / -1' }

interface ImageFormProps {
  readonly models: readonly string[]
  readonly initial: InitialRequest | undefined
  readonly onMake: (request: ImageRequest) => void
}

/** Describes the images. What is left to the model is not sent. */
export function ImageForm({ models, initial, onMake }: ImageFormProps) {
  const { t } = useTranslation('playground')
  const { user } = useViewer()
  const [request, setRequest] = useState<ImageRequest>({
    model: firstModel(models, initial),
    group: user?.group ?? '',
    prompt: initial?.prompt ?? '',
    count: 1,
    size: '',
    quality: '',
  })
  const change = (changes: Partial<ImageRequest>) => setRequest({ ...request, ...changes })
  const canMake = request.prompt.trim() !== '' && request.model !== ''
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (canMake) onMake({ ...request, prompt: request.prompt.trim() })
  }
  const byItself = { value: '', label: t('studio.default') }
  return (
    <form className={classes.form} onSubmit={submit}>
      <Textarea
        className={classes.request}
        label={t('studio.prompt')}
        placeholder={t('studio.promptExample')}
        autosize
        minRows={3}
        maxRows={10}
        value={request.prompt}
        onChange={({ currentTarget }) => change({ prompt: currentTarget.value })}
        data-autofocus
      />
      <SearchSelect
        style={wholeLine}
        label={t('model.label')}
        choices={choicesOf(models)}
        value={request.model || null}
        onChange={(model) => model !== null && change({ model })}
      />
      <OwnGroupSelect
        style={wholeLine}
        label={t('setting.group')}
        value={request.group || null}
        onChange={(group) => group !== null && change({ group })}
      />
      <ChoiceSelect
        label={t('studio.size')}
        choices={[byItself, ...sizes.map((value) => ({ value, label: value.replace('x', ' × ') }))]}
        value={request.size}
        onChange={(size) => change({ size })}
      />
      <ChoiceSelect
        label={t('studio.quality')}
        choices={[byItself, ...qualities.map((value) => ({ value, label: t(`studio.qualities.${value}`) }))]}
        value={request.quality}
        onChange={(quality) => change({ quality })}
      />
      <ChoiceSelect
        label={t('studio.count')}
        choices={counts.map((value) => ({ value, label: value }))}
        value={String(request.count)}
        onChange={(count) => change({ count: Number(count) })}
      />
      <Button type="submit" disabled={!canMake} className={classes.submit}>
        {t('studio.make')}
      </Button>
    </form>
  )
}
