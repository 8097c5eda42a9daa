import { Button, Textarea, TextInput } from '@mantine/core'
import { useState, type ReactNode, type SubmitEvent } from 'react'

import { ChoiceSelect } from '../../../components/choice-select'
import { choicesOf } from '../../../components/combobox/choice'
import { OwnGroupSelect } from '../../../components/combobox/group-select'
import { SearchSelect } from '../../../components/combobox/search-select'
import { useTranslation } from '../../../lib/i18n'
import { useViewer } from '../../../lib/session'
import classes from './studio.module.css'
import type { TaskRequest } from './submit-task'
import { firstModel, handedBesides, handedText, type InitialRequest, type Parameters } from './initial-request'
import { OtherParameters } from './other-parameters'
import { withChoice } from './with-choice'

export interface TaskFormProps {
  readonly models: readonly string[]
  readonly initial: InitialRequest | undefined
  readonly onMake: (request: TaskRequest) => void
}

const wholeLine = { gridColumn: '1 / -1' }

/** Describes a song; with lyrics of one's own, the description is left out. */
export function SongForm({ initial, onMake }: TaskFormProps) {
  const { t } = useTranslation('playground')
  const [song, setSong] = useState(() => firstSong(initial))
  const change = (changes: Partial<typeof song>) => setSong({ ...song, ...changes })
  const { prompt, lyrics, title, tags, isInstrumental } = song
  const [said, sung] = [prompt.trim(), lyrics.trim()]
  const words = given({ prompt: sung, gpt_description_prompt: sung === '' ? said : '', title, tags })
  return (
    <TaskForm
      initial={initial}
      fields={songFields}
      canMake={said !== '' || sung !== ''}
      onMake={(others, group) =>
        onMake({
          path: '/pg/suno/submit/music',
          prompt: said || sung,
          body: { ...others, ...words, make_instrumental: isInstrumental, group },
        })
      }
    >
      <Textarea
        style={wholeLine}
        label={t('studio.songPrompt')}
        placeholder={t('studio.songExample')}
        autosize
        minRows={2}
        maxRows={6}
        value={prompt}
        onChange={({ currentTarget }) => change({ prompt: currentTarget.value })}
        data-autofocus
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
    </TaskForm>
  )
}

const songFields = ['prompt', 'gpt_description_prompt', 'title', 'tags', 'make_instrumental']

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

const lengths = ['4', '5', '6', '8', '10', '12']
const frames = ['1280x720', '720x1280', '1920x1080', '1080x1920']

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
  const byItself = { value: '', label: t('studio.default') }
  return (
    <TaskForm
      initial={initial}
      fields={videoFields}
      canMake={prompt !== '' && video.model !== ''}
      onMake={(others, group) =>
        onMake({ path: '/pg/videos', prompt, body: { ...others, ...given({ ...video, prompt }), group } })
      }
    >
      <Textarea
        style={wholeLine}
        label={t('studio.videoPrompt')}
        placeholder={t('studio.videoExample')}
        autosize
        minRows={3}
        maxRows={10}
        value={video.prompt}
        onChange={({ currentTarget }) => change({ prompt: currentTarget.value })}
        data-autofocus
      />
      <SearchSelect
        style={wholeLine}
        label={t('model.label')}
        choices={choicesOf(models)}
        value={video.model || null}
        onChange={(model) => model !== null && change({ model })}
      />
      <ChoiceSelect
        label={t('studio.seconds')}
        choices={[byItself, ...withChoice(lengths, video.seconds).map((value) => ({ value, label: `${value} s` }))]}
        value={video.seconds}
        onChange={(seconds) => change({ seconds })}
      />
      <ChoiceSelect
        label={t('studio.size')}
        choices={[
          byItself,
          ...withChoice(frames, video.size).map((value) => ({ value, label: value.replace('x', ' × ') })),
        ]}
        value={video.size}
        onChange={(size) => change({ size })}
      />
    </TaskForm>
  )
}

const videoFields = ['prompt', 'seconds', 'duration', 'size']

/** Returns the texts that are not empty. */
const given = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])))

interface TaskFormFrameProps {
  readonly initial: InitialRequest | undefined
  /** The members of a request that the form has fields for. */
  readonly fields: readonly string[]
  readonly canMake: boolean
  readonly onMake: (others: Parameters, group: string) => void
  readonly children: ReactNode
}

function TaskForm({ initial, fields, canMake, onMake, children }: TaskFormFrameProps) {
  const { t } = useTranslation('playground')
  const { user } = useViewer()
  const [group, setGroup] = useState(initial?.group || (user?.group ?? ''))
  const [others, setOthers] = useState(() => handedBesides(initial, fields))
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (canMake) onMake(others, group)
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      {children}
      <OtherParameters initial={initial} parameters={others} onChange={setOthers} />
      <OwnGroupSelect
        style={wholeLine}
        label={t('setting.group')}
        value={group || null}
        onChange={(next) => next !== null && setGroup(next)}
      />
      <Button type="submit" disabled={!canMake} style={wholeLine}>
        {t('studio.make')}
      </Button>
    </form>
  )
}
