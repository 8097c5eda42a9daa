import type { JsonObject } from '../json'
import { startSimulator, type Simulator, type SimulatorOptions } from '../simulator'

/** What tests look into freely: an answer's JSON. */
export type Json = ReturnType<typeof JSON.parse>

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Body of a response in one piece. */
  readonly json: Json
  /** Events of a stream. */
  readonly events: readonly { readonly name: string; readonly data: Json }[]
}

/** A simulator and a way to ask it. */
export async function asking(headers: Record<string, string>, options?: SimulatorOptions) {
  const simulator: Simulator = await startSimulator(options)
  const send = async (path: string, body?: JsonObject, more: Record<string, string> = {}): Promise<Reply> => {
    const response = await fetch(simulator.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...headers, ...more },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isStream ? null : parseJsonOrText(text),
      events: isStream ? eventsIn(text) : [],
    }
  }
  return { simulator, send }
}

function eventsIn(text: string): Reply['events'] {
  return text
    .split('\n\n')
    .filter((event) => event.includes('data: '))
    .map((event) => ({
      name: /^event: (.*)$/m.exec(event)?.[1] ?? '',
      data: parseJsonOrText(/^data: (.*)$/m.exec(event)?.[1] ?? ''),
    }))
}

function parseJsonOrText(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Two tools with the schema each dialect puts in its own place. */
export const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
}
