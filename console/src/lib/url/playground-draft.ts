import { taskRoutes } from '@tollgate/contract'
import * as z from 'zod'

/** A conversation, or what is to be made, that a page hands to the playground. */

const key = 'playground-draft'

const Part = z.object({
  type: z.string(),
  text: z.string().optional(),
  image_url: z.object({ url: z.string() }).optional(),
})
const Content = z.union([z.string(), z.array(Part)])
export type DraftContent = z.output<typeof Content> | null | undefined

const Draft = z.object({
  model: z.string().default(''),
  messages: z.array(z.object({ role: z.string(), content: Content.nullish() })).max(500),
  group: z.string().optional(),
  /** What is to be made, by the names of the request's members. */
  parameters: taskRoutes.TaskParameters.optional(),
  /** Members of the request that were too large to be kept. */
  lostFields: z.array(z.string()).readonly().optional(),
})
export type Draft = z.output<typeof Draft>

/** Stores it until the playground takes it, when its address contains `draft`. */
export const handDraft = (draft: Draft): void => sessionStorage.setItem(key, JSON.stringify(draft))

/** Takes the draft, once. An invalid one counts as absent. */
export function takeDraft(): Draft | undefined {
  const draft = readDraft()
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Storage that is closed has no draft either.
  }
  return draft
}

/** Returns the draft and leaves it there: a component may be rendered more than once before it is shown. */
export function readDraft(): Draft | undefined {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? undefined : Draft.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
