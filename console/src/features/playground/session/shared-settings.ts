import * as z from 'zod'

import { mostLanes, type Session } from './session'
import { Parameters } from './settings'

/** Models and settings in the fragment of an address, which browsers do not send to servers. */

const mark = '#settings='
/** Browsers and messengers cut longer addresses. */
const longest = 60_000

const Shared = z.object({
  lanes: z
    .array(z.object({ model: z.string().max(255), parameters: Parameters.optional() }))
    .min(1)
    .max(mostLanes),
  system: z.string().nullable().default(null),
  parameters: Parameters.prefault({}),
})
export type Shared = z.output<typeof Shared>

/** The address of a playground set up like the session. What was said does not go along, nor does the group: it is the reader's. */
export function sharedAddress({ lanes, settings: { system, parameters } }: Session, origin = location.origin): string {
  const shared: Shared = {
    lanes: lanes.map(({ model, parameters: own }) => ({ model, ...(own && { parameters: own }) })),
    system,
    parameters,
  }
  return `${origin}/playground${mark}${encodeURIComponent(JSON.stringify(shared, withoutOff))}`
}

/** What is off need not be told. */
const withoutOff = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'isOn' in value && value.isOn === false ? undefined : value

/** What an address shares; undefined where it shares nothing, or nonsense. */
export function sharedIn(hash: string): Shared | undefined {
  const text = `#${hash.replace(/^#/, '')}`
  if (!text.startsWith(mark) || text.length > longest) return undefined
  try {
    return Shared.safeParse(JSON.parse(decodeURIComponent(text.slice(mark.length)))).data
  } catch {
    return undefined
  }
}

/** The session with the settings that were shared, as far as its lanes have the models. */
export function withShared(session: Session, { lanes, system, parameters }: Shared): Session {
  const had = lanes.filter(({ model }) => session.lanes.some((lane) => lane.model === model))
  const withOwn = session.lanes.map((lane, index) => {
    const own = had[index]
    return own?.model === lane.model && own.parameters ? { ...lane, parameters: own.parameters } : lane
  })
  return { ...session, lanes: withOwn, settings: { ...session.settings, system, parameters } }
}
