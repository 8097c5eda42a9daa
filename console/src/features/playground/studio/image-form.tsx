import { useState } from 'react'

import { ChoiceSelect } from '../../../components/fields/choice-select'
import { findText, useTranslation } from '../../../lib/text/i18n'
import { firstModel, handedText, type InitialRequest } from './initial-request'
import type { ImageRequest } from './use-image-runs'
import { ModelField, ParameterSelect, PromptField, sizeName, StudioForm, wholeLine, withChoice } from './studio-form'

const sizes = ['1024x1024', '1536x1024', '1024x1536', '1792x1024', '1024x1792', '512x512', '256x256']
const qualities = ['low', 'medium', 'high', 'standard', 'hd']
const counts = ['1', '2', '3', '4', '6', '8', '10']
const fields = ['n', 'size', 'quality']

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
  const [image, setImage] = useState({
    model: firstModel(models, initial),
    prompt: initial?.prompt ?? '',
    count: Number(handedText(initial, 'n')) || 1,
    size: handedText(initial, 'size'),
    quality: handedText(initial, 'quality'),
  })
  const change = (changes: Partial<typeof image>) => setImage({ ...image, ...changes })
  const prompt = image.prompt.trim()
  return (
    <StudioForm
      initial={initial}
      fields={fields}
      canMake={prompt !== '' && image.model !== ''}
      model={image.model}
      onMake={(others, group) => onMake({ ...image, prompt, group, others })}
    >
      <PromptField
        label={t('studio.prompt')}
        placeholder={t('studio.promptExample')}
        value={image.prompt}
        onChange={(value) => change({ prompt: value })}
      />
      <ModelField models={models} value={image.model} onChange={(model) => change({ model })} />
      <ParameterSelect
        label={t('studio.size')}
        usual={sizes}
        nameOf={sizeName}
        value={image.size}
        onChange={(size) => change({ size })}
      />
      <ParameterSelect
        label={t('studio.quality')}
        usual={qualities}
        nameOf={qualityName}
        value={image.quality}
        onChange={(quality) => change({ quality })}
      />
      <ChoiceSelect
        style={wholeLine}
        label={t('studio.count')}
        choices={withChoice(counts, String(image.count)).map((value) => ({ value, label: value }))}
        value={String(image.count)}
        onChange={(count) => change({ count: Number(count) })}
      />
    </StudioForm>
  )
}
