import { hasEnded, type taskRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { parsedJson } from '../../platform/text/parsed-json'
import { readResults } from '../../tasks/task-store'
import type { ListedTask } from './find-tasks'

/** What platforms of music say of a song, or of lyrics alone. */
const Song = z.object({
  title: z.string().catch(''),
  audio_url: z.string().catch(''),
  video_url: z.string().catch(''),
  text: z.string().catch(''),
  lyric: z.string().catch(''),
  metadata: z.object({ prompt: z.string().catch('') }).catch({ prompt: '' }),
})
type Song = z.output<typeof Song>

type Shown = Pick<ListedTask, 'public_id' | 'results' | 'data' | 'status' | 'progress'>

/** Returns what a task made: files in the order of its results, or a text where that is all. Files pass through the gateway. */
export function resultsOf(task: Shown): taskRoutes.TaskResult[] {
  const songs = songsIn(task.data)
  const results = readResults(task)
  const files = results.map((file, index) => {
    const { kind, url } = file
    const position = results.slice(0, index).filter((other) => other.kind === kind).length
    const song = songs.find(
      ({ audio_url: audio, video_url: video }) => url !== undefined && [audio, video].includes(url),
    )
    // Once is enough for the lyrics.
    const text = song && kind === 'audio' ? lyricsOf(song) : ''
    return { kind, url: `${addressOf(task, kind)}${position}${versionOf(task)}`, title: song?.title ?? '', text }
  })
  if (files.length > 0) return files
  return songs.flatMap((song) => {
    const text = lyricsOf(song)
    return text === '' ? [] : [{ kind: 'text' as const, url: '', title: song.title, text }]
  })
}

const addressOf = ({ public_id: id }: Shown, kind: string) => `/api/task/result/${id}/${kind}/`

/** Browsers keep what they fetched from an address: an unfinished picture changes. */
const versionOf = (task: Shown) => (hasEnded(task) ? '' : `?progress=${task.progress}`)

/** A song's prompt is what is sung. */
const lyricsOf = ({ text, lyric, metadata }: Song): string => text || lyric || metadata.prompt

function songsIn(data: string): Song[] {
  const parsed = z.object({ songs: z.unknown() }).safeParse(parsedJson(data))
  const songs = parsed.data?.songs
  return (Array.isArray(songs) ? songs : [songs]).flatMap((song) => Song.safeParse(song).data ?? [])
}

const Submission = z.object({ submission: z.object({ code: z.int() }) })

/** Returns the code of a drawing's submission: 0 where no channel accepted it. */
export function codeOf({ data, channel_id: channelId }: Pick<ListedTask, 'data' | 'channel_id'>): number {
  return Submission.safeParse(parsedJson(data)).data?.submission.code ?? (channelId === 0 ? 0 : 1)
}
