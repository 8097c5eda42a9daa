import type { taskRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { parsedJson } from '../../parsed-json'
import type { ListedTask } from './find-tasks'

const kinds = ['image', 'video', 'audio'] as const

/** A result as the engine stores it. Addresses with a key in them, and files that only a vendor's call can read, are not for readers. */
const Stored = z.object({ kind: z.enum(kinds), url: z.string(), isSecret: z.literal(false).optional() })

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

/** Returns what a task made: files in the order of its results, then a text where that is all. */
export function resultsOf(task: Pick<ListedTask, 'results' | 'data'>): taskRoutes.TaskResult[] {
  const songs = songsIn(task.data)
  const files = itemsIn(parsedJson(task.results)).flatMap((item) => {
    const { data: file } = Stored.safeParse(item)
    if (!file) return []
    const song = songs.find(({ audio_url: audio, video_url: video }) => audio === file.url || video === file.url)
    // Once is enough for the lyrics.
    const text = song && file.kind === 'audio' ? lyricsOf(song) : ''
    return [{ kind: file.kind, url: file.url, title: song?.title ?? '', text }]
  })
  if (files.length > 0) return files
  return songs.flatMap((song) => {
    const text = lyricsOf(song)
    return text === '' ? [] : [{ kind: 'text' as const, url: '', title: song.title, text }]
  })
}

/** A song's prompt is what is sung. */
const lyricsOf = ({ text, lyric, metadata }: Song): string => text || lyric || metadata.prompt

function songsIn(data: string): Song[] {
  const parsed = z.object({ songs: z.unknown() }).safeParse(parsedJson(data))
  const songs = parsed.data?.songs
  return (Array.isArray(songs) ? songs : [songs]).flatMap((song) => Song.safeParse(song).data ?? [])
}

const itemsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const Submission = z.object({ submission: z.object({ code: z.int() }) })

/** Returns the code of a drawing's submission: 0 where no channel accepted it. */
export function codeOf({ data, channel_id: channelId }: Pick<ListedTask, 'data' | 'channel_id'>): number {
  return Submission.safeParse(parsedJson(data)).data?.submission.code ?? (channelId === 0 ? 0 : 1)
}
