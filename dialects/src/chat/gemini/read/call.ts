import { noteUnknown } from '../../../core/neutral/left-out'
import type { PathContext } from '../../../core/views'
import { DialectError } from '../../../core/dialect-error'
import { isObject, type JsonObject } from '../../../core/json'
import { efforts, type NeutralCall, type OutputFormat, type Thinking } from '../../../core/neutral/call'
import { numberOrNull, objectOf, textOf, textOrNull, textRecordOf, textsOf } from '../../../core/neutral/read'
import { isEffort } from '../../../core/neutral/thinking'
import { member, memberObject, without } from '../../../core/shared/google-members'
import { dialectId } from '../name'
import { readGenerateRequest } from '../request'
import { readMessages } from './contents'
import { jsonSchemaOf, readToolChoice, readTools } from './tools'

/**
 * A request for content in the neutral form. https://ai.google.dev/api/generate-content
 * @throws DialectError
 */
export function readCall(body: JsonObject, pathContext: PathContext): NeutralCall {
  if (member(body, 'cachedContent') != null) throw unkept()
  const view = readGenerateRequest(body, pathContext)
  const config = memberObject(body, 'generationConfig')
  const leftOut = leftOutOf(body, config)
  return {
    model: view.model,
    isStream: view.isStream,
    messages: readMessages(body),
    tools: readTools(body['tools']),
    toolChoice: readToolChoice(body),
    parallelTools: null,
    output: readOutput(config),
    thinking: readThinking(memberObject(config, 'thinkingConfig')),
    sampling: {
      maxTokens: view.maxOutputTokens,
      temperature: numberOrNull(config['temperature']),
      topP: numberOrNull(member(config, 'topP')),
      topK: numberOrNull(member(config, 'topK')),
      seed: numberOrNull(config['seed']),
      presencePenalty: numberOrNull(member(config, 'presencePenalty')),
      frequencyPenalty: numberOrNull(member(config, 'frequencyPenalty')),
      stop: textsOf(member(config, 'stopSequences')),
      choices: view.choices,
      hasLogProbabilities: member(config, 'responseLogprobs') === true,
      topLogProbabilities: numberOrNull(config['logprobs']),
    },
    user: null,
    metadata: textRecordOf(body['labels']),
    serviceTier: readServiceTier(textOf(member(body, 'serviceTier')).toLowerCase()),
    modalities: readModalities(config),
    voice: readVoice(config),
    ...(leftOut.length > 0 && { leftOut }),
    own: ownOf(body, config),
  }
}

const formats = ['text/plain', 'application/json']
const modes = ['MODE_UNSPECIFIED', 'AUTO', 'VALIDATED', 'NONE', 'ANY']

/** One of several words (`text/x.enum`) is asked for by no other dialect. https://ai.google.dev/gemini-api/docs/structured-output */
function leftOutOf(body: JsonObject, config: JsonObject): string[] {
  const leftOut: string[] = []
  const calling = memberObject(memberObject(body, 'toolConfig'), 'functionCallingConfig')
  const level = textOf(member(memberObject(config, 'thinkingConfig'), 'thinkingLevel')).toLowerCase()
  noteUnknown(leftOut, 'format', member(config, 'responseMimeType'), formats)
  noteUnknown(leftOut, 'effort', level, ['thinking_level_unspecified', ...efforts])
  noteUnknown(leftOut, 'tool choice', textOf(calling['mode']).toUpperCase(), modes)
  return leftOut
}

/** The beginning of the conversation that the vendor keeps is unknown to every other. */
const unkept = (): DialectError =>
  new DialectError(
    'cachedContent',
    'invalid_value',
    "Invalid 'cachedContent': a kept context cannot be resolved for this model. Send the whole conversation in 'contents' instead.",
  )

/** Members that the neutral form holds whole. */
const knownMembers = [
  'model',
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'labels',
  'serviceTier',
]
const knownConfigMembers = [
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'stopSequences',
  'candidateCount',
  'responseLogprobs',
  'logprobs',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'thinkingConfig',
  'speechConfig',
]

/** Safety, and whatever else only this vendor knows; the rest of three members that are half understood. */
function ownOf(body: JsonObject, config: JsonObject): NonNullable<NeutralCall['own']> {
  const others = without(body, knownMembers)
  const generationConfig = without(config, knownConfigMembers)
  const toolConfig = without(memberObject(body, 'toolConfig'), ['functionCallingConfig'])
  const speechConfig = memberObject(config, 'speechConfig')
  const members = {
    ...others,
    ...(Object.keys(toolConfig).length > 0 && { toolConfig }),
    ...((Object.keys(generationConfig).length > 0 || Object.keys(speechConfig).length > 0) && {
      generationConfig: { ...generationConfig, ...(Object.keys(speechConfig).length > 0 && { speechConfig }) },
    }),
  }
  const ownMembers = [others, generationConfig, toolConfig, without(speechConfig, ['voiceConfig'])]
  return { dialect: dialectId, members, names: ownMembers.flatMap((part) => Object.keys(part)) }
}

function readOutput(config: JsonObject): OutputFormat | null {
  if (member(config, 'responseMimeType') !== 'application/json') return null
  const plain = member(config, 'responseJsonSchema')
  const own = member(config, 'responseSchema')
  if (!isObject(plain) && !isObject(own)) return { kind: 'json' }
  const schema = isObject(plain) ? plain : jsonSchemaOf(objectOf(own))
  return { kind: 'schema', name: 'answer', description: '', schema, isStrict: null }
}

/** https://ai.google.dev/gemini-api/docs/thinking */
function readThinking(config: JsonObject): Thinking | null {
  const level = textOf(member(config, 'thinkingLevel')).toLowerCase()
  const effort = isEffort(level) ? level : null
  const budgetTokens = numberOrNull(member(config, 'thinkingBudget'))
  const shown = member(config, 'includeThoughts')
  const isShown = typeof shown === 'boolean' ? shown : null
  // Models here think unless they are told not to: to hide that is not to ask for it.
  if (effort === null && budgetTokens === null && isShown !== true) return null
  const isEnabled = budgetTokens !== 0
  return { isEnabled, effort: isEnabled ? effort : null, budgetTokens, isShown, summary: null }
}

const readModalities = (config: JsonObject): readonly string[] =>
  textsOf(member(config, 'responseModalities'))
    .map((modality) => modality.toLowerCase())
    .filter((modality) => modality !== 'text' && modality !== 'modality_unspecified')

function readVoice(config: JsonObject): NeutralCall['voice'] {
  const voice = memberObject(memberObject(config, 'speechConfig'), 'voiceConfig')
  const name = textOrNull(member(memberObject(voice, 'prebuiltVoiceConfig'), 'voiceName'))
  return name === null ? null : { voice: name, format: 'pcm16' }
}

/** In the words that most dialects share. */
function readServiceTier(serviceTier: string): string | null {
  const word = serviceTier.replace(/^service_tier_/, '')
  return word === '' || word === 'unspecified' ? null : word === 'standard' ? 'default' : word
}
