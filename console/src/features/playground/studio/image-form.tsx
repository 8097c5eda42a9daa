import { Button, Textarea } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'

import { ChoiceSelect } from '../../../components/choice-select'
import { choicesOf } from '../../../components/combobox/choice'
import { OwnGroupSelect } from '../../../components/combobox/group-select'
import { SearchSelect } from '../../../components/combobox/search-select'
import { findText, useTranslation } from '../../../lib/i18n'
import { useViewer } from '../../../lib/session'
import type { ImageRequest } from './make-images'
import classes from './studio.module.css'
import { firstModel, handedBesides, handedText, type InitialRequest } from './initial-request'
import { OtherParameters } from './other-parameters'
import { withChoice } from './with-choice'

const sizes = ['1024x1024', '1536x1024', '1024x1536', '1792x1024', '1024x1792', '512x512', '256x256']
const qualities = ['low', 'medium', 'high', 'standard', 'hd']
const counts = ['1', '2', '3', '4', '6', '8', '10']
const fields = ['n', 'size', 'quality']
const wholeLine = { gridColumn: '1 / -1' }

/** Returns the name of a quality; that of a model which is not known here as it is. */
const qualityName = (quality: string): string => findText('playground', `studio.qualities.${quality}`) ?? quality

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
    group: initial?.group || (user?.group ?? ''),
    prompt: initial?.prompt ?? '',
    count: Number(handedText(initial, 'n')) || 1,
    size: handedText(initial, 'size'),
    quality: handedText(initial, 'quality'),
    others: handedBesides(initial, fields),
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
        choices={[
          byItself,
          ...withChoice(sizes, request.size).map((value) => ({ value, label: value.replace('x', ' × ') })),
        ]}
        value={request.size}
        onChange={(size) => change({ size })}
      />
      <ChoiceSelect
        label={t('studio.quality')}
        choices={[
          byItself,
          ...withChoice(qualities, request.quality).map((value) => ({ value, label: qualityName(value) })),
        ]}
        value={request.quality}
        onChange={(quality) => change({ quality })}
      />
      <ChoiceSelect
        label={t('studio.count')}
        choices={withChoice(counts, String(request.count)).map((value) => ({ value, label: value }))}
        value={String(request.count)}
        onChange={(count) => change({ count: Number(count) })}
      />
      <OtherParameters initial={initial} parameters={request.others} onChange={(others) => change({ others })} />
      <Button type="submit" disabled={!canMake} className={classes.submit}>
        {t('studio.make')}
      </Button>
    </form>
  )
}
