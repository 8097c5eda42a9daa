import { modelRoutes } from '@tollgate/contract'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod'

import { useRead } from '../../lib/api/query'
import { favouriteFirst } from '../../lib/text/favourite-model'
import { parseJson } from '../../lib/text/parse-json'

const Listed = z.object({
  data: z.array(z.object({ id: z.string(), supported_parameters: z.array(z.string()).default([]) })),
})
const Refused = z.object({ error: z.object({ message: z.string() }) })

/** Returns the models for conversations that a key may call, as the gateway lists them; without a key those of the reader. */
export function useKeyModels(apiKey: string) {
  const own = useRead(modelRoutes.ownModels, { query: { chat: 'true' } }, { enabled: apiKey === '' })
  const listed = useQuery({
    queryKey: ['models of a key', apiKey],
    queryFn: () => listModels(apiKey),
    enabled: apiKey !== '',
    retry: false,
    // The key is forgotten with the page.
    gcTime: 0,
  })
  const { data = [], isPending, error } = apiKey === '' ? own : listed
  return { models: favouriteFirst(data), isPending, error: apiKey === '' ? null : error }
}

/** @throws RefusedKey with the gateway's sentence; TypeError without a network. */
async function listModels(apiKey: string): Promise<readonly string[]> {
  const response = await fetch(`${location.origin}/v1/models`, {
    headers: { Authorization: `Bearer ${apiKey}` },
    credentials: 'omit',
  })
  const body = parseJson(await response.text())
  if (!response.ok) throw new RefusedKey(Refused.safeParse(body).data?.error.message ?? String(response.status))
  const { data } = Listed.parse(body)
  // Models of other kinds take no such parameter.
  const chats = data.filter(({ supported_parameters: parameters }) => parameters.includes('max_tokens'))
  return (chats.length > 0 ? chats : data).map(({ id }) => id)
}

/** The gateway does not accept the key. */
export class RefusedKey extends Error {
  override readonly name = 'RefusedKey'
}
