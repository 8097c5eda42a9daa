import * as z from 'zod'

import { maxLanes, type Session } from './session'
import { Parameters } from './settings'

/** Models and settings in the fragment of an address, which browsers do not send to servers. */

const mark = '#settings='
/** Browsers and messengers truncate longer addresses. */
const maxLength = 60_000

const Shared = z.object({
  lanes: z
    .array(z.object({ model: z.string().max(255), parameters: Parameters.optional() }))
    .min(1)
    .max(maxLanes),
  system: z.string().nullable().default(null),
  parameters: Parameters.prefault({}),
})
export type Shared = z.output<typeof Shared>

/**
 * Returns the address of a playground with the same setup. The conversation is not included, nor is the group, which depends on the reader.
 */
export function sharedAddress({ lanes, settings: { system, parameters } }: Session, origin = location.origin): string {
  const shared: Shared = {
    lanes: lanes.map(({ model, parameters: own }) => ({ model, ...(own && { parameters: own }) })),
    system,
    parameters,
  }
  return `${origin}/playground${mark}${encodeURIComponent(JSON.stringify(shared, withoutOff))}`
}

/** Disabled parameters are left out. */
const withoutOff = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'isOn' in value && value.isOn === false ? undefined : value

/** Returns the shared settings; undefined for a fragment without valid ones. */
export function sharedIn(hash: string): Shared | undefined {
  const text = `#${hash.replace(/^#/, '')}`
  if (!text.startsWith(mark) || text.length > maxLength) return undefined
  try {
    return Shared.safeParse(JSON.parse(decodeURIComponent(text.slice(mark.length)))).data
  } catch {
    return undefined
  }
}

/** Returns the session with the shared settings, as far as its lanes have the models. */
export function withShared(session: Session, { lanes, system, parameters }: Shared): Session {
  const had = lanes.filter(({ model }) => session.lanes.some((lane) => lane.model === model))
  const withOwn = session.lanes.map((lane, index) => {
    const own = had[index]
    return own?.model === lane.model && own.parameters ? { ...lane, parameters: own.parameters } : lane
  })
  return { ...session, lanes: withOwn, settings: { ...session.settings, system, parameters } }
}
