import * as z from 'zod'

import { route } from '../http/route'

export const getSetup = route({
  method: 'GET',
  path: '/api/setup',
  access: 'guest',
  summary: 'Whether the gateway is set up, and what setting it up requires',
  data: z.object({
    /** Set up. */
    status: z.boolean(),
    /** The super admin exists: user name and password are not required. */
    root_init: z.boolean(),
    database_type: z.enum(['sqlite', 'postgres']),
    /** The code that the gateway showed when it started is required of this caller. */
    code_required: z.boolean(),
  }),
})

export const setUp = route({
  method: 'POST',
  path: '/api/setup',
  audit: 'setup.complete',
  access: 'guest',
  limit: 'critical',
  summary: 'Create the super admin and choose the mode of the site; once',
  body: z.object({
    username: z.string().max(255).default(''),
    password: z.string().max(1024).default(''),
    confirmPassword: z.string().max(1024).default(''),
    SelfUseModeEnabled: z.boolean().default(false),
    DemoSiteEnabled: z.boolean().default(false),
    setupCode: z.string().max(255).optional(),
  }),
})
