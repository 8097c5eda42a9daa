import { isObject, type JsonObject } from '@tollgate/dialects'

import type { ShapedBody, Target } from '../provider'
import { withMember, withoutMembers } from '../shape'
import { shapeThinking, splitBudget } from './gemini-thinking'

/** They answer with pictures only when asked to. */
const drawsOnRequest = /^gemini-2\.0-flash-(?:exp|preview)(?:-image-generation)?$/

const safetySettings = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'].map((name) => ({
  category: `HARM_CATEGORY_${name}`,
  threshold: 'OFF',
}))

/** The model's name stands in the address alone. */
export function shapeGemini(body: JsonObject, target: Target): ShapedBody {
  const { body: thinking, ...rest } = shapeThinking(withoutMembers(body, 'model', 'stream'), target)
  return { ...rest, body: isTranslated(target) ? withDefaults(thinking, target) : thinking }
}

/** A client of another dialect cannot speak of these, and does not expect its answers to be held back. */
const isTranslated = ({ dialectHeaders }: Target): boolean => dialectHeaders === undefined

function withDefaults(body: JsonObject, { model }: Target): JsonObject {
  const safe = Array.isArray(body['safetySettings']) ? body : withMember(body, 'safetySettings', safetySettings)
  if (!drawsOnRequest.test(splitBudget(model).model)) return safe
  const config = isObject(safe['generationConfig']) ? safe['generationConfig'] : {}
  if (config['responseModalities'] !== undefined) return safe
  return withMember(safe, 'generationConfig', { ...config, responseModalities: ['TEXT', 'IMAGE'] })
}
