import { type JsonObject } from '@tollgate/dialects'

import type { ShapedBody, Target } from '../provider'
import { mapObjects, withMember } from '../shape'

/** Every part of a batch names its model; so may a single request. */
export function shapeGeminiEmbeddings(body: JsonObject, { model }: Target): ShapedBody {
  const name = `models/${model}`
  const named = 'model' in body ? withMember(body, 'model', name) : body
  return { body: mapObjects(named, 'requests', (request) => withMember(request, 'model', name)) }
}
