import * as z from 'zod'

import { route } from '../route'

export const ownModels = route({
  method: 'GET',
  path: '/api/user/models',
  access: 'user',
  summary: 'Models the caller may use in any of the usable groups, sorted',
  data: z.array(z.string()),
})

export const defaultModels = route({
  method: 'GET',
  path: '/api/models',
  access: 'user',
  summary: 'Channel type to the models suggested for it',
  data: z.record(z.string(), z.array(z.string())),
})
