import type { JsonObject } from '../../../core/json'
import { type Effort, efforts, type NeutralCall, type OutputFormat, type Thinking } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { objectOf, omitUndefined } from '../../../core/neutral/read'
import { geminiVoice } from '../../../core/neutral/speech'
import { geminiTraits, type GeminiTraits, type ThinkingLevel } from '../models'
import { dialectId } from '../name'
import { writeContents } from './contents'
import { writeTools } from './tools'
import { memberObject } from '../../../core/shared/google-members'
import { openApiSchema } from './schema'
import { budgetOf, effortOf } from '../../../core/neutral/thinking'

/** A request for content; which model and whether it streams is said by the path. What the model does not take is left out. */
export function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  const traits = geminiTraits(call.model)
  const own = call.own?.dialect === dialectId ? call.own.members : {}
  const instruction = instructionFor(call, traits, warn)
  warnOfOthers(call, warn)
  return omitUndefined({
    ...own,
    ...writeContents(call, instruction === null ? [] : [instruction], traits, warn),
    ...writeTools(call, own, traits, warn),
    generationConfig: writeConfig(call, own, instruction === null, traits, warn),
    labels: call.own?.dialect === dialectId ? (call.metadata ?? undefined) : undefined,
    serviceTier: writeServiceTier(call.serviceTier, warn),
  })
}

/** Older models cannot be held to a form while they have functions: then they are asked for it. */
function instructionFor(call: NeutralCall, { isThird }: GeminiTraits, warn: Warn): string | null {
  const { output, tools } = call
  if (output === null || isThird || call.own?.dialect === dialectId || tools.length === 0) return null
  warn('the JSON format beside tools, which is asked for in words')
  return writeFormatInstruction(output)
}

function writeFormatInstruction(output: OutputFormat): string {
  const alone = 'When you answer, answer with one JSON object and nothing else: no explanation and no code fence.'
  return output.kind === 'json' ? alone : `${alone} It must satisfy this JSON schema: ${JSON.stringify(output.schema)}`
}

function warnOfOthers({ metadata, user, own }: NeutralCall, warn: Warn): void {
  if (user !== null) warn('user')
  if (own?.dialect !== dialectId && metadata !== null && Object.keys(metadata).length > 0) warn('metadata')
}

/** https://ai.google.dev/gemini-api/docs/flex-inference and …/priority-inference */
function writeServiceTier(serviceTier: string | null, warn: Warn): string | undefined {
  if (serviceTier === 'flex' || serviceTier === 'priority') return serviceTier
  if (serviceTier !== null && serviceTier !== 'auto' && serviceTier !== 'default')
    warn(`the service tier ${serviceTier}`)
  return undefined
}

const maxStops = 5
const maxChoices = 8
/** Seeds are 32 bits long here. */
const maxSeed = 2 ** 31 - 1

/** How tokens are drawn, what the answer looks like and how long it is. https://ai.google.dev/api/generate-content#generationconfig */
function writeConfig(
  call: NeutralCall,
  own: JsonObject,
  hasFormat: boolean,
  traits: GeminiTraits,
  warn: Warn,
): JsonObject | undefined {
  const config = omitUndefined({
    ...memberObject(own, 'generationConfig'),
    ...writeSampling(call, warn),
    ...(hasFormat && writeFormat(call, traits)),
    ...writeSound(call, warn),
    ...writeDrawing(call),
    thinkingConfig: writeThinking(call, traits, warn),
  })
  return Object.keys(config).length > 0 ? config : undefined
}

function writeSampling({ sampling }: NeutralCall, warn: Warn): JsonObject {
  const { temperature, topP, topK, maxTokens, seed, stop, choices, presencePenalty, frequencyPenalty } = sampling
  if (stop.length > maxStops) warn(`more than ${maxStops} stop sequences`)
  if (choices > maxChoices) warn(`more than ${maxChoices} choices`)
  const hasSeed = seed !== null && Number.isInteger(seed) && Math.abs(seed) <= maxSeed
  if (seed !== null && !hasSeed) warn('a seed of more than 32 bits')
  const stops = stop.filter((text) => text !== '').slice(0, maxStops)
  return {
    temperature: temperature ?? undefined,
    topP: topP ?? undefined,
    topK: topK ?? undefined,
    maxOutputTokens: maxTokens ?? undefined,
    stopSequences: stops.length > 0 ? stops : undefined,
    candidateCount: choices > 1 ? Math.min(choices, maxChoices) : undefined,
    seed: hasSeed ? seed : undefined,
    // Many models refuse penalties, whatever they are.
    presencePenalty: presencePenalty || undefined,
    frequencyPenalty: frequencyPenalty || undefined,
    responseLogprobs: sampling.hasLogProbabilities ? true : undefined,
    logprobs: sampling.hasLogProbabilities ? (sampling.topLogProbabilities ?? undefined) : undefined,
  }
}

function writeFormat({ output }: NeutralCall, { takesJsonSchema }: GeminiTraits): JsonObject {
  if (output === null) return {}
  const schema =
    output.kind === 'json'
      ? {}
      : takesJsonSchema
        ? { responseJsonSchema: output.schema }
        : { responseSchema: openApiSchema(output.schema) }
  return { responseMimeType: 'application/json', ...schema }
}

/** What clients of chats say of pictures in OpenRouter's words, or in those of Google's compatible address. */
function writeDrawing({ own }: NeutralCall): JsonObject {
  if (own?.dialect !== 'openai-chat') return {}
  const google = objectOf(objectOf(own.members['extra_body'])['google'])
  const requested = { ...objectOf(google['image_config']), ...objectOf(own.members['image_config']) }
  const imageConfig = omitUndefined({
    aspectRatio: requested['aspect_ratio'] ?? undefined,
    imageSize: requested['image_size'] ?? undefined,
  })
  return Object.keys(imageConfig).length > 0 ? { imageConfig } : {}
}

/** Samples, and what they are made into. */
const writtenFormats: ReadonlySet<string> = new Set(['pcm16', 'wav'])

/** Models that speak do nothing else; models that draw write too. */
function writeSound({ modalities, voice, own }: NeutralCall, warn: Warn): JsonObject {
  if (modalities.length === 0) return {}
  const names = modalities.map((modality) => modality.toUpperCase())
  const isSpoken = names.includes('AUDIO')
  if (isSpoken && voice !== null && !writtenFormats.has(voice.format)) warn(`the format ${voice.format.slice(0, 32)}`)
  const hasOwnVoice = memberObject(memberObject(own?.members ?? {}, 'generationConfig'), 'speechConfig')['voiceConfig']
  return {
    responseModalities: isSpoken ? names : ['TEXT', ...names],
    ...(isSpoken &&
      voice !== null &&
      hasOwnVoice === undefined && {
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: geminiVoice(voice.voice) } } },
      }),
  }
}

/** Thinking as the model takes it; undefined when nothing is asked. https://ai.google.dev/gemini-api/docs/thinking */
function writeThinking({ thinking }: NeutralCall, traits: GeminiTraits, warn: Warn): JsonObject | undefined {
  if (thinking === null) return undefined
  const effort = effortOf(thinking)
  if (traits.thinking === 'none') {
    if (effort !== 'none') warn('thinking, which the model does not do')
    return undefined
  }
  const amount = traits.thinking === 'level' ? levelOf(effort, traits, warn) : tokensOf(thinking, effort, traits, warn)
  return { ...amount, ...(effort !== 'none' && { includeThoughts: thinking.isShown !== false }) }
}

function levelOf(effort: Effort | null, { levels }: GeminiTraits, warn: Warn): JsonObject {
  if (effort === null) return {}
  if (effort === 'none') warn('an answer without thinking')
  return { thinkingLevel: nearest(effort, levels) }
}

/** The least level that is as much as was asked, or the most there is. */
function nearest(effort: Effort, levels: readonly ThinkingLevel[]): ThinkingLevel | undefined {
  const requested = efforts.indexOf(effort)
  return levels.find((level) => efforts.indexOf(level) >= requested) ?? levels.at(-1)
}

function tokensOf(thinking: Thinking, effort: Effort | null, { budget }: GeminiTraits, warn: Warn): JsonObject {
  if (effort === 'none') {
    if (!budget.canStop) warn('an answer without thinking')
    return { thinkingBudget: budget.canStop ? 0 : budget.min }
  }
  const tokens = budgetOf(thinking)
  if (tokens === null) return {}
  return { thinkingBudget: tokens < 0 ? -1 : Math.min(Math.max(tokens, budget.min), budget.max) }
}
