import * as z from 'zod'

import { ChatError } from '../stream/chat-error'
import { answeredBy, failIfRefused, parseJson, postAsUser } from '../stream/post-as-user'

/** A song or a video as the reader describes it. */
export interface TaskRequest {
  readonly path: '/pg/suno/submit/music' | '/pg/videos'
  readonly prompt: string
  readonly body: Readonly<Record<string, string | number | boolean>>
}

/** Returns the texts that are not empty: what is left to the model is not sent. */
export const filledTexts = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])))

/** Videos have an id; songs are answered as Suno-API does, refusals too. */
const Accepted = z.union([
  z.object({ id: z.string().min(1) }).transform(({ id }) => id),
  z.object({ code: z.literal('success'), data: z.string().min(1) }).transform(({ data }) => data),
])
const Refused = z.object({ code: z.string(), message: z.string() })

/**
 * Submits a task as the signed-in user and resolves with its public id.
 * @throws ChatError when the gateway refuses; TypeError without a network.
 */
export async function submitTask({ path, body }: TaskRequest): Promise<string> {
  const response = await postAsUser(path, body, AbortSignal.timeout(submissionMs))
  const answer = answeredBy(response)
  const value = parseJson(await response.text())
  failIfRefused(asError(value), answer)
  const id = Accepted.safeParse(value).data
  if (!response.ok || id === undefined) throw new ChatError({ kind: 'malformed', ...answer })
  return id
}

/** Vendors may take this long to accept. */
const submissionMs = 120_000

const asError = (value: unknown): unknown => {
  const refused = Refused.safeParse(value).data
  return refused && refused.code !== 'success' ? { error: refused } : value
}
