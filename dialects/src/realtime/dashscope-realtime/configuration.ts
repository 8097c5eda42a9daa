import { isObject, type JsonObject } from '../../core/json'

/** What is taken over under its own name. */
const shared = ['instructions', 'temperature', 'tool_choice'] as const

/**
 * Returns a session's configuration as Alibaba takes it, which is that of OpenAI's beta. Audio goes in at 16,000 samples a second and
 * comes out at 24,000. https://www.alibabacloud.com/help/en/model-studio/client-events
 */
export function betaConfiguration(session: JsonObject): JsonObject {
  const input = memberOf(memberOf(session, 'audio'), 'input')
  const output = memberOf(memberOf(session, 'audio'), 'output')
  const { output_modalities: modalities, tools, max_output_tokens: limit } = session
  const configuration: JsonObject = { input_audio_format: 'pcm', output_audio_format: 'pcm' }
  for (const name of shared) if (session[name] !== undefined) configuration[name] = session[name]
  if (Array.isArray(modalities))
    configuration['modalities'] = modalities.includes('audio') ? ['text', 'audio'] : ['text']
  if (output['voice'] !== undefined) configuration['voice'] = output['voice']
  if ('turn_detection' in input) configuration['turn_detection'] = input['turn_detection']
  if ('transcription' in input) configuration['input_audio_transcription'] = input['transcription']
  if (Array.isArray(tools)) configuration['tools'] = tools.filter(isObject).map(nestedTool)
  if (typeof limit === 'number') configuration['max_tokens'] = limit
  return configuration
}

const nestedTool = ({ type = 'function', ...described }: JsonObject): JsonObject => ({ type, function: described })

const pcm = { type: 'audio/pcm', rate: 24_000 }

/** Returns a configuration that the vendor reports, as OpenAI would. */
export function presentConfiguration(session: JsonObject): JsonObject {
  const { id, model, modalities, voice, instructions, tools, tool_choice: choice, max_tokens: limit } = session
  const isSpoken = !Array.isArray(modalities) || modalities.includes('audio')
  return {
    type: 'realtime',
    object: 'realtime.session',
    id,
    model,
    output_modalities: [isSpoken ? 'audio' : 'text'],
    instructions,
    tools: Array.isArray(tools) ? tools.filter(isObject).map(flatTool) : [],
    tool_choice: choice,
    max_output_tokens: typeof limit === 'number' ? limit : 'inf',
    audio: {
      input: {
        format: pcm,
        transcription: session['input_audio_transcription'] ?? null,
        turn_detection: session['turn_detection'] ?? null,
      },
      output: { format: pcm, voice },
    },
  }
}

const flatTool = ({ type, function: described }: JsonObject): JsonObject => ({
  type,
  ...(isObject(described) ? described : {}),
})

function memberOf(object: JsonObject, name: string): JsonObject {
  const member = object[name]
  return isObject(member) ? member : {}
}
