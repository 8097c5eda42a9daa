import { systemRoutes } from '@tollgate/contract'
import { parseAnswer } from '@tollgate/dialects'
import { z } from 'zod'

import type { Context } from '../context'
import { OutboundRefused, OutboundTimeout } from '../platform/net/outbound/outbound'
import { readNote, writeNotes } from '../platform/store/site-notes'
import { version } from '../platform/config/version'

type News = systemRoutes.ReleaseNews

const note = 'release-news'
const timeoutMs = 10_000
const maxBytes = 512 * 1024
const maxNotesLength = 20_000

/** What forges return for the latest release: `body` of most, `description` of GitLab's. */
const ReleaseResponse = z.object({
  tag_name: z.string().max(100),
  body: z.string().nullish(),
  description: z.string().nullish(),
})

type Deps = Pick<Context, 'catalog' | 'clock' | 'database' | 'outbound'>

/** Resolves with the running release, and what the last look for a newer one found. */
export async function readRelease({ catalog, database }: Pick<Context, 'catalog' | 'database'>) {
  const news = await readNote(database.query, note, systemRoutes.ReleaseNews)
  return {
    current: version,
    is_set_up: catalog.current.options.VersionCheckUrl !== '',
    news,
    is_newer: news !== null && isNewer(news.version, version),
  }
}

/** Requests the configured address, and stores the result for all workers. */
export async function refreshReleaseNews(parts: Deps): Promise<void> {
  const { catalog, clock, database } = parts
  const latest = await fetchRelease(parts, catalog.current.options.VersionCheckUrl)
  const known = await readNote(database.query, note, systemRoutes.ReleaseNews)
  // A failure does not make a newer release unknown again.
  const retained = latest.failure && known ? { version: known.version, notes: known.notes } : {}
  const value: News = { ...latest, ...retained, checked_at: clock.seconds() }
  await writeNotes(database.query, [{ name: note, value }], clock.now())
}

const emptyNews = { version: '', notes: '', failure: '', status: null } as const

async function fetchRelease({ outbound }: Pick<Context, 'outbound'>, url: string): Promise<Omit<News, 'checked_at'>> {
  try {
    const headers = { Accept: 'application/json', 'User-Agent': `Tollgate/${version}` }
    const { status, body } = await outbound.send({ method: 'GET', url, headers, timeoutMs, maxBytes })
    if (status !== 200) return { ...emptyNews, failure: 'status', status }
    const {
      tag_name: tag,
      body: text,
      description,
    } = ReleaseResponse.parse(parseAnswer(new TextDecoder().decode(body)))
    if (!partsOf(tag)) return { ...emptyNews, failure: 'unreadable' }
    const notes = (text ?? description ?? '').replaceAll('\0', '').slice(0, maxNotesLength)
    return { ...emptyNews, version: tag.replace(/^v/i, ''), notes }
  } catch (error) {
    return { ...emptyNews, failure: failureOf(error) }
  }
}

function failureOf(error: unknown): News['failure'] {
  if (error instanceof OutboundRefused) return 'address'
  if (error instanceof OutboundTimeout) return 'timeout'
  return error instanceof SyntaxError || error instanceof z.ZodError ? 'unreadable' : 'unreachable'
}

/** Returns major, minor, patch, and 0 for a pre-release or 1 for the release itself; null for what is not a version. */
function partsOf(text: string): readonly number[] | null {
  const [, major, minor, patch = '0', pre] = /^v?(\d+)\.(\d+)(?:\.(\d+))?(-[\w.-]+)?(?:\+[\w.-]+)?$/i.exec(text) ?? []
  return major === undefined ? null : [Number(major), Number(minor), Number(patch), pre === undefined ? 1 : 0]
}

/** Returns whether a version comes after another; pre-releases of one version count as equal. */
export function isNewer(text: string, than: string): boolean {
  const [one, other] = [partsOf(text), partsOf(than)]
  if (!one || !other) return false
  const position = one.findIndex((part, index) => part !== other[index])
  return position >= 0 && (one[position] ?? 0) > (other[position] ?? 0)
}
