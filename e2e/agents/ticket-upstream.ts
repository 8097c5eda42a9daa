import type { Behaviour, RecordedRequest, Simulator } from '@tollgate/simulator'

import type { Agent } from './agent'

/** What people ask of an agent; the numbers keep the turns of a conversation apart. */
export const promptOf = (ticket: number): string =>
  `Look up ticket number ${ticket} with your tool, then write down what it says.`
/** What the model says in the end. */
export const endOf = (ticket: number): string => `All is done with ${ticket}.`
/** What the ticket says. */
export const colorOf = (ticket: number): string => `Ticket ${ticket} is amber`

export const note = { path: 'note.txt', content: 'amber noted' }
/** Writes the note, and says so in words that the command itself does not contain. */
const writeNote = `echo ${note.content} > ${note.path} && printf 'The note is %s' written`
const isNoted = 'The note is written'

export const tickets = { first: 7, next: 8 }

/**
 * Plays a model that looks the ticket up, has the agent run a command in the first turn, and ends: with thoughts in each response. An
 * account refuses thoughts that another one sealed, as vendors do.
 */
export function playModel(simulator: Simulator, agent: Agent): void {
  const thinking = 3
  const rules: [(request: RecordedRequest) => boolean, Behaviour][] = []
  for (const ticket of [tickets.first, tickets.next]) {
    const isAbout = ({ body }: RecordedRequest) =>
      body.includes(promptOf(ticket)) && (ticket === tickets.next || !body.includes(promptOf(tickets.next)))
    const isFound = ({ body }: RecordedRequest) => body.includes(colorOf(ticket))
    const text = `${endOf(ticket)}${ticket === tickets.first && agent.fileText ? `\n\n${agent.fileText(note.path, note.content)}` : ''}`
    rules.push([isAbout, { text, thinking, toolCalls: 0 }])
    if (!agent.shell) continue
    const { tool, arguments: argumentsOf } = agent.shell
    if (ticket === tickets.first)
      rules.push([
        (request) => isAbout(request) && isFound(request) && !request.body.includes(isNoted),
        { tool, toolCalls: 1, toolArguments: [argumentsOf(writeNote)], thinking },
      ])
    const isSought = (request: RecordedRequest) => isAbout(request) && !isFound(request)
    if (agent.search) {
      const toolArguments = [agent.search.arguments('lookup_ticket')]
      rules.push([isSought, { tool: agent.search.tool, toolCalls: 1, toolArguments, thinking }])
    }
    rules.push([
      (request) => isSought(request) && offersLookup.test(request.body),
      { tool: /lookup_ticket$/, toolCalls: 1, toolArguments: [{ id: String(ticket) }], thinking },
    ])
  }
  // The last rule that matches applies.
  for (const [matches, behaviour] of rules) simulator.when(matches, behaviour)
  const isForeign = (request: RecordedRequest) =>
    sealsIn(request).some((number) => simulator.requests[number - 1]?.apiKey !== request.apiKey)
  for (const [path, body] of Object.entries(foreignRefusals))
    simulator.when((request) => request.path.includes(path) && isForeign(request), {
      fault: { kind: 'status', status: 400, body },
    })
}

/** The refusals of thoughts from elsewhere, by a part of the path. Any account of Claude reads what another one signed. */
const foreignRefusals = {
  '/responses': {
    error: {
      message:
        'The encrypted content could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_encrypted_content',
    },
  },
  enerateContent: { error: { code: 400, message: 'Corrupted thought signature.', status: 'INVALID_ARGUMENT' } },
}

const offersLookup = /"name":"[^"]*lookup_ticket"/

/** Base64 of `simulated`, with which the seals of the simulator begin. */
const seal = /c2ltdWxhdGVk[A-Za-z0-9+/=]+/g

/** Returns the numbers of the requests whose thoughts a request brings back. */
export const sealsIn = ({ body }: RecordedRequest): number[] =>
  [...body.matchAll(seal)].flatMap(([sealed]) => {
    const [, number] = /(?:thoughts|signature) (\d+)/.exec(Buffer.from(sealed, 'base64').toString()) ?? []
    return number === undefined ? [] : [Number(number)]
  })
