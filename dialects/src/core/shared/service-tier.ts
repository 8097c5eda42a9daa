import { member, nameIn } from './google-members'
import type { JsonObject } from '../json'
import { textOf } from '../neutral/read'

/** How requests of a dialect select a service tier, which has a price of its own. */
export interface ServiceTierMember {
  /** Returns the tier that a request asks for, in lower case; null for the usual one. */
  readonly read: (body: JsonObject) => string | null
  /** Returns the body without that member. */
  readonly without: (body: JsonObject) => JsonObject
  /** The field of a response that reports which tier served it. */
  readonly reportedIn: 'service_tier' | 'speed'
  /** The header that reports it where the body does not. */
  readonly reportedHeader?: string
}

/** What vendors call the tier that costs what the model costs. */
const usual: ReadonlySet<string> = new Set(['', 'auto', 'default', 'standard', 'standard_only', 'unspecified'])

/** Returns a tier's name, as a request or an answer writes it; null for the usual one. */
export function serviceTierOf(value: unknown): string | null {
  if (value === undefined) return null
  const serviceTier = textOf(value)
    .trim()
    .toLowerCase()
    .replace(/^service_tier_/, '')
  return usual.has(serviceTier) ? null : serviceTier
}

function serviceTierMember(
  reportedIn: ServiceTierMember['reportedIn'],
  nameOf: (body: JsonObject) => string,
  read: (body: JsonObject) => unknown,
): ServiceTierMember {
  return {
    reportedIn,
    read: (body) => serviceTierOf(read(body)),
    without(body) {
      const { [nameOf(body)]: _, ...rest } = body
      return rest
    },
  }
}

/** https://platform.openai.com/docs/api-reference/chat/create */
export const openAiServiceTier = serviceTierMember(
  'service_tier',
  () => 'service_tier',
  (body) => body['service_tier'],
)

/** Anthropic's `service_tier` chooses among capacity that is paid for otherwise; `speed` costs more. */
export const anthropicServiceTier = serviceTierMember(
  'speed',
  () => 'speed',
  (body) => body['speed'],
)

/** https://ai.google.dev/gemini-api/docs/priority-inference */
export const geminiServiceTier: ServiceTierMember = {
  ...serviceTierMember(
    'service_tier',
    (body) => nameIn(body, 'serviceTier'),
    (body) => member(body, 'serviceTier'),
  ),
  reportedHeader: 'x-gemini-service-tier',
}
