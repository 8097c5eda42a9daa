import { inspect } from 'node:util'

/** What each program tries: an answer in one piece, a stream, a tool, and an object of a schema. Prints what works. */

export const { URL: url, KEY: key, MODEL: model } = process.env
export const [, , variant = ''] = process.argv
export const prompt = 'What is the color of ticket 7? Use your tool.'
export const schema = {
  type: 'object',
  properties: { color: { type: 'string' }, number: { type: 'integer' } },
  required: ['color', 'number'],
  additionalProperties: false,
}
export const parameters = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }

const lookedUp = []
export function lookupTicket({ id }) {
  lookedUp.push(id)
  return `Ticket ${id} is amber`
}

function expect(isMet, what, value) {
  if (!isMet) throw new Error(`${what}: ${JSON.stringify(value)}`)
}

export const hasText = (text) => expect(typeof text === 'string' && text.trim() !== '', 'no text', text)
export const hasColor = (object) => expect(typeof object?.color === 'string', 'no object', object)
export function usedTool(text) {
  expect(lookedUp.length > 0, 'the tool was not called', text)
  hasText(text)
}
export async function hasPieces(stream, textOf = (piece) => piece) {
  const pieces = []
  for await (const piece of stream) if (textOf(piece)) pieces.push(textOf(piece))
  expect(pieces.length > 1, 'no stream', pieces)
}

/** Runs the attempts one after the other. */
export async function trial(aspects) {
  for (const [name, attempt] of Object.entries(aspects)) {
    try {
      await attempt()
      process.stdout.write(`works: ${name}\n`)
    } catch (error) {
      process.stdout.write(`fails: ${name}\n`)
      process.stderr.write(`${inspect(error)}\n`)
    }
  }
  process.exit(0)
}
