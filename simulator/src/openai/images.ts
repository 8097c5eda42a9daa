import { type Counted, type SimulatedResponse, whole } from '../simulated-response'
import type { StreamEvent } from '../wire'
import type { Behaviour } from '../behaviour'
import { textOr, type JsonObject } from '../json'
import { inputTokensOf } from '../usage-report'
import { createdAt } from './chat'

/** What a picture costs unless a test says otherwise. */
const usualTokens = 272
/** A picture of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Answer a call for pictures, or for edits of pictures, whole or as a stream of partial ones and the complete one. */
const drawing =
  (kind: 'image_generation' | 'image_edit') =>
  (body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse => {
    const count = Math.max(1, Number(body['n'] ?? 1))
    const counted = imagesCounted(body, count * (behaviour.tokens ?? usualTokens), behaviour)
    const usage = counted.reported === undefined ? {} : { usage: counted.reported }
    const image = { b64_json: behaviour.text ?? pixel }
    const responseId = `img-sim${number}`
    if (String(body['stream']) !== 'true') {
      const data = Array.from({ length: count }, () => image)
      return whole({ created: createdAt, data, ...usage }, counted, responseId)
    }
    const partials = Array.from({ length: Number(body['partial_images'] ?? 0) }, (_, index) =>
      eventOf(`${kind}.partial_image`, { ...image, partial_image_index: index }),
    )
    const complete = Array.from({ length: count }, (_, index) =>
      eventOf(`${kind}.completed`, { ...image, created_at: createdAt, ...(index === count - 1 ? usage : noUsage) }),
    )
    return { kind: 'stream', events: [...partials, ...complete], last: null, counted, responseId }
  }

export const images = drawing('image_generation')
export const imageEdits = drawing('image_edit')

const noUsage = { usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } }

function imagesCounted(body: JsonObject, completionTokens: number, behaviour: Behaviour): Counted {
  const promptTokens = behaviour.promptTokens ?? inputTokensOf(textOr(body['prompt'], ''))
  const usage = {
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
  return { promptTokens, completionTokens, reported: reportUsage(usage, behaviour) }
}

/** The usage on the wire: what is asked for, or none. */
export function reportUsage(usage: JsonObject, behaviour: Behaviour): unknown {
  if (behaviour.usage === 'none') return undefined
  return 'usageOverride' in behaviour ? behaviour.usageOverride : usage
}

const eventOf = (type: string, more: JsonObject): StreamEvent => ({
  name: type,
  data: JSON.stringify({ type, ...more }),
})
