import { useState } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import { firstModel, handedText } from './initial-request'
import { ModelField, ParameterSelect, PromptField, sizeName, StudioForm, type TaskFormProps } from './studio-form'
import { filledTexts } from './use-task-runs'

const lengths = ['4', '5', '6', '8', '10', '12']
const frames = ['1280x720', '720x1280', '1920x1080', '1080x1920']
const fields = ['prompt', 'seconds', 'duration', 'size']

/** Describes a video. What is left to the model is not sent. */
export function VideoForm({ models, initial, onMake }: TaskFormProps) {
  const { t } = useTranslation('playground')
  const [video, setVideo] = useState({
    model: firstModel(models, initial),
    prompt: initial?.prompt ?? '',
    seconds: handedText(initial, 'seconds', 'duration'),
    size: handedText(initial, 'size'),
  })
  const change = (changes: Partial<typeof video>) => setVideo({ ...video, ...changes })
  const prompt = video.prompt.trim()
  return (
    <StudioForm
      initial={initial}
      fields={fields}
      canMake={prompt !== '' && video.model !== ''}
      model={video.model}
      onMake={(others, group) =>
        onMake({ path: '/pg/videos', prompt, body: { ...others, ...filledTexts(video), group } })
      }
    >
      <PromptField
        label={t('studio.videoPrompt')}
        placeholder={t('studio.videoExample')}
        value={video.prompt}
        onChange={(value) => change({ prompt: value })}
      />
      <ModelField models={models} value={video.model} onChange={(model) => change({ model })} />
      <ParameterSelect
        label={t('studio.seconds')}
        usual={lengths}
        nameOf={(seconds) => `${seconds} s`}
        value={video.seconds}
        onChange={(seconds) => change({ seconds })}
      />
      <ParameterSelect
        label={t('studio.size')}
        usual={frames}
        nameOf={sizeName}
        value={video.size}
        onChange={(size) => change({ size })}
      />
    </StudioForm>
  )
}
