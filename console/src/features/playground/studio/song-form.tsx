import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'

import { ChoiceSelect } from '../../../components/fields/choice-select'
import { useTranslation } from '../../../lib/text/i18n'
import { handedText, type InitialRequest } from './initial-request'
import { PromptField, StudioForm, wholeLine, type TaskFormProps } from './studio-form'
import { filledTexts } from './use-task-runs'

const fields = ['prompt', 'gpt_description_prompt', 'title', 'tags', 'make_instrumental']

/** Describes a song; with lyrics of one's own, the description is left out. */
export function SongForm({ initial, onMake }: TaskFormProps) {
  const { t } = useTranslation('playground')
  const [song, setSong] = useState(() => firstSong(initial))
  const change = (changes: Partial<typeof song>) => setSong({ ...song, ...changes })
  const { prompt, lyrics, title, tags, isInstrumental } = song
  const [description, sung] = [prompt.trim(), lyrics.trim()]
  const words = filledTexts({ prompt: sung, gpt_description_prompt: sung === '' ? description : '', title, tags })
  return (
    <StudioForm
      initial={initial}
      fields={fields}
      canMake={description !== '' || sung !== ''}
      onMake={(others, group) =>
        onMake({
          path: '/pg/suno/submit/music',
          prompt: description || sung,
          body: { ...others, ...words, make_instrumental: isInstrumental, group },
        })
      }
    >
      <PromptField
        label={t('studio.songPrompt')}
        placeholder={t('studio.songExample')}
        minRows={2}
        maxRows={6}
        value={prompt}
        onChange={(value) => change({ prompt: value })}
      />
      <Textarea
        style={wholeLine}
        label={t('studio.lyrics')}
        description={t('studio.lyricsHint')}
        autosize
        minRows={2}
        maxRows={12}
        disabled={isInstrumental}
        value={lyrics}
        onChange={({ currentTarget }) => change({ lyrics: currentTarget.value })}
      />
      <TextInput
        label={t('studio.songTitle')}
        value={title}
        onChange={({ currentTarget }) => change({ title: currentTarget.value })}
      />
      <TextInput
        label={t('studio.style')}
        value={tags}
        onChange={({ currentTarget }) => change({ tags: currentTarget.value })}
      />
      <ChoiceSelect
        style={wholeLine}
        label={t('studio.voice')}
        choices={[
          { value: 'sung', label: t('studio.sung') },
          { value: 'instrumental', label: t('studio.instrumental') },
        ]}
        value={isInstrumental ? 'instrumental' : 'sung'}
        onChange={(voice) =>
          change(voice === 'instrumental' ? { isInstrumental: true, lyrics: '' } : { isInstrumental: false })
        }
      />
    </StudioForm>
  )
}

/** A song that was handed over has lyrics of its own, or a description. */
function firstSong(initial: InitialRequest | undefined) {
  const [lyrics, description] = [handedText(initial, 'prompt'), handedText(initial, 'gpt_description_prompt')]
  return {
    prompt: description || (lyrics === '' ? (initial?.prompt ?? '') : ''),
    lyrics,
    title: handedText(initial, 'title'),
    tags: handedText(initial, 'tags'),
    isInstrumental: handedText(initial, 'make_instrumental') === 'true',
  }
}
