import { apps } from './apps'
import type { Client } from './client'
import { programs } from './programs'
import { terminalAgents } from './terminal-agents'

const lists = [...terminalAgents, ...apps, ...programs]
export type ClientId = (typeof lists)[number]['id']

/** The programs that are known to work with this site, and the lines that connect each. */
export const clients: readonly Client<ClientId>[] = lists

export const clientOf = (id: ClientId): Client<ClientId> => {
  const client = clients.find((one) => one.id === id)
  if (!client) throw new Error(`There is no client ${id}`)
  return client
}
