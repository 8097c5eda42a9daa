import type { Target } from './provider'

type Authenticate = (target: Pick<Target, 'key'>) => Record<string, string>

/** `Authorization: Bearer <key>`. */
export const bearer = (): Authenticate => (target) => ({ authorization: `Bearer ${target.key}` })

/** The key alone in a header of this name. */
export const header =
  (name: string): Authenticate =>
  (target) => ({ [name]: target.key })

/** `OpenAI-Organization` when the channel names one. */
export const organization = (target: Pick<Target, 'organization'>): Record<string, string> =>
  target.organization === '' ? {} : { 'openai-organization': target.organization }
