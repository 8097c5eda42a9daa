import * as z from 'zod'

import { route } from '../http/route'

const UsableGroups = z.record(z.string(), z.object({ desc: z.string(), ratio: z.number() }))

export const listGroups = route({
  method: 'GET',
  path: '/api/group',
  access: ['channels.read', 'prices.read', 'users.read', 'codes.read', 'logs.read'],
  summary: 'Names of all groups, sorted',
  data: z.array(z.string()),
})

export const ownGroups = route({
  method: 'GET',
  path: '/api/user/self/groups',
  access: 'self.read',
  isViewable: true,
  summary: 'Groups the caller may use, with what they cost the caller',
  data: UsableGroups,
})

export const guestGroups = route({
  method: 'GET',
  path: '/api/user/groups',
  access: 'guest',
  summary: 'Groups open to every user',
  data: UsableGroups,
})
