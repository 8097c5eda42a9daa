import * as z from 'zod'

import { route } from '../http/route'
import { flagText } from '../pricing/units'

export const ownModels = route({
  method: 'GET',
  path: '/api/user/models',
  access: 'self.read',
  summary: 'Models the caller may use in any of the usable groups, sorted',
  /**
   * `chat`: without models that are known not to support conversations, such as those for embeddings. `makes`: without those that are
   * known to make something else.
   */
  query: z.object({ chat: flagText.optional(), makes: z.enum(['images', 'videos', 'songs']).optional() }),
  data: z.array(z.string()),
})

export const defaultModels = route({
  method: 'GET',
  path: '/api/models',
  access: 'self.read',
  summary: 'Channel type to the models suggested for it, the newest first and retired ones last',
  data: z.record(z.string(), z.array(z.string())),
})
