import * as z from 'zod'

import { route } from '../../http/route'
import { longText, nullableText, Params } from './parts'

/** The progress of a run over all channels. */
export const RunProgress = z.object({
  is_running: z.boolean(),
  /** 0: never. */
  started_at: z.number().int(),
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
})
export type RunProgress = z.output<typeof RunProgress>

export const testChannel = route({
  access: 'channels.write',
  method: 'GET',
  path: '/api/channel/test/{id}',
  isCompound: true,
  audit: 'channel.test',
  isWrite: true,
  summary: 'Send a short call through the channel; `time` is in seconds',
  params: Params,
  query: z.object({ model: z.string().trim().max(255).optional() }),
  envelopeFields: z.object({ time: z.number() }),
})

export const testChannels = route({
  access: 'channels.write',
  method: 'GET',
  path: '/api/channel/test',
  isCompound: true,
  audit: 'channel.test_all',
  isWrite: true,
  summary: 'Start a test of all channels that are not disabled manually',
})

export const testProgress = route({
  access: 'channels.read',
  method: 'GET',
  path: '/api/channel/test/progress',
  summary: 'The progress of the test of all channels',
  data: RunProgress,
})

export const updateBalance = route({
  access: 'channels.write',
  method: 'GET',
  path: '/api/channel/update_balance/{id}',
  audit: 'channel.ask_balance',
  isWrite: true,
  summary: 'Ask the vendor for the balance of a channel',
  params: Params,
  envelopeFields: z.object({ balance: z.number(), currency: z.string() }),
})

export const updateBalances = route({
  access: 'channels.write',
  method: 'GET',
  path: '/api/channel/update_balance',
  isCompound: true,
  audit: 'channel.ask_balances',
  isWrite: true,
  summary: 'Start a run that updates the balances of all enabled channels',
})

export const balanceProgress = route({
  access: 'channels.read',
  method: 'GET',
  path: '/api/channel/update_balance/progress',
  summary: 'The progress of the run that updates all balances',
  data: RunProgress,
})

export const fetchModels = route({
  access: 'channels.write',
  method: 'GET',
  path: '/api/channel/fetch_models/{id}',
  audit: 'channel.ask_models',
  summary: 'The models the vendor of a channel offers',
  params: Params,
  data: z.array(z.string()),
})

export const fetchModelsUnsaved = route({
  access: 'channels.write',
  method: 'POST',
  path: '/api/channel/fetch_models',
  audit: 'channel.ask_models',
  summary: 'The models a vendor offers, before the channel is saved',
  body: z.object({
    base_url: nullableText(2048),
    type: z.number().int(),
    key: z.string().max(longText),
    other: nullableText(longText),
  }),
  data: z.array(z.string()),
})
