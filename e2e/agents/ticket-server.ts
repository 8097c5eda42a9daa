import { createInterface } from 'node:readline'

import { z } from 'zod'

/** An MCP server over standard input and output with one tool, `lookup_ticket`. https://modelcontextprotocol.io/specification */

const Message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
})
const Call = z.object({ arguments: z.object({ id: z.coerce.string() }) })

const tool = {
  name: 'lookup_ticket',
  description: 'Looks up a ticket by its number',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
}

function resultOf(method: string, params: Readonly<Record<string, unknown>>): object {
  if (method === 'tools/list') return { tools: [tool] }
  if (method === 'tools/call')
    return { content: [{ type: 'text', text: `Ticket ${Call.parse(params).arguments.id} is amber` }] }
  if (method !== 'initialize') return {}
  const { protocolVersion } = params
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'tickets', version: '1.0.0' } }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = Message.parse(JSON.parse(line))
  // Notifications have no id and get no response.
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params) }))
}
