import { anyObject, plainRequest, type GenerationRequest, type RequestedTool } from '../generation-request'
import { isObject, listOr, numberOr, objectOr, textOr, type JsonObject } from '../json'
import { Refusal } from '../simulated-response'

/** What a call of generateContent asks for. https://ai.google.dev/api/generate-content */
export function readRequest(body: JsonObject): GenerationRequest {
  const contents = listOr(body['contents']).map(objectOr)
  const config = objectOr(body['generationConfig'])
  const thinking = objectOr(config['thinkingConfig'])
  const calling = objectOr(member(objectOr(member(body, 'toolConfig')), 'functionCallingConfig'))
  const limit = numberOr(config['maxOutputTokens'], 0)
  return {
    ...plainRequest,
    prompt: promptIn(body, contents),
    tools: toolsIn(body, calling),
    toolChoice: calling['mode'] === 'NONE' ? 'none' : 'free',
    hasToolResults: contents.some(({ parts }) => partsOf(parts).some((part) => has(part, 'functionResponse'))),
    schema: schemaIn(config),
    limit: limit > 0 ? limit : null,
    stop: listOr(config['stopSequences']).filter((one) => typeof one === 'string'),
    isThinking: thinking['includeThoughts'] === true && thinking['thinkingBudget'] !== 0,
    isSearching: listOr(body['tools']).some(
      (tool) => isObject(tool) && ('googleSearch' in tool || 'google_search' in tool),
    ),
    isDrawing: listOr(config['responseModalities']).some((one) => String(one).toUpperCase() === 'IMAGE'),
  }
}

/** @throws Refusal when the vendor would not take it. */
export function check(body: JsonObject): void {
  if (listOr(body['contents']).length > 0) return
  throw new Refusal(400, '* GenerateContentRequest.contents: contents is not specified\n')
}

/** The content of a message as the measure of prompts knows it. */
export function contentOf(content: unknown): unknown[] {
  return partsOf(objectOr(content)['parts']).flatMap((part) => {
    if (part['thought'] === true || has(part, 'functionCall') || has(part, 'functionResponse')) return []
    return [typeof part['text'] === 'string' ? { type: 'text', text: part['text'] } : { type: 'media' }]
  })
}

const partsOf = (parts: unknown): JsonObject[] => listOr(parts).map(objectOr)

/** Each function response counts as a message of its own, as it does in other dialects. */
function promptIn(body: JsonObject, contents: readonly JsonObject[]): unknown[] {
  const system = body['systemInstruction'] ?? body['system_instruction']
  const reported = contents.flatMap((content) => {
    const results = partsOf(content['parts'])
      .filter((part) => has(part, 'functionResponse'))
      .map((part) => resultText(objectOr(member(part, 'functionResponse'))['response']))
    const rest = contentOf(content)
    return rest.length > 0 || results.length === 0 ? [...results, rest] : results
  })
  return system === undefined ? reported : [contentOf(system), ...reported]
}

function resultText(response: unknown): string {
  const members = Object.values(objectOr(response))
  const [only] = members
  return members.length === 1 && typeof only === 'string' ? only : JSON.stringify(response ?? {})
}

function toolsIn(body: JsonObject, calling: JsonObject): RequestedTool[] {
  const allowed = listOr(member(calling, 'allowedFunctionNames'))
  return listOr(body['tools'])
    .flatMap((tool) => listOr(member(objectOr(tool), 'functionDeclarations')))
    .map(objectOr)
    .map((tool) => ({ name: textOr(tool['name'], ''), schema: schemaOf(tool) }))
    .filter(({ name }) => allowed.length === 0 || allowed.includes(name))
}

function schemaIn(config: JsonObject): unknown {
  const schema =
    member(config, 'responseJsonSchema') ?? config['_responseJsonSchema'] ?? member(config, 'responseSchema')
  if (member(config, 'responseMimeType') !== 'application/json') return undefined
  return schema ?? anyObject
}

const schemaOf = (tool: JsonObject): unknown => member(tool, 'parametersJsonSchema') ?? tool['parameters']

/** Clients write some names with underscores, which the vendor takes too. */
const member = (object: JsonObject, name: string): unknown =>
  object[name] ?? object[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]

const has = (object: JsonObject, name: string): boolean => member(object, name) !== undefined
