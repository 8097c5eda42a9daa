import type { Dialect } from '../dialect'
import { openaiWire } from '../wire'
import { type SimulatedResponse, whole } from '../simulated-response'
import type { Behaviour } from '../behaviour'
import { type JsonObject, objectOr, textOr } from '../json'
import { speech, transcriptions } from './audio'
import { type Account, balanceCalls, modelCatalogue, modelList, oneModel } from './account'
import { chat } from './chat'
import { completions } from './completions'
import { embeddings } from './embeddings'
import { imageEdits, images } from './images'
import { countUsage } from './usage'

/** OpenAI's API, and whatever no other dialect claims. */
export const openai: Dialect = {
  wire: openaiWire,
  serves: () => true,
  respond: (call, behaviour, account) => respondOpenAi(call, behaviour, call.number, account),
}

type Endpoint = (body: JsonObject, behaviour: Behaviour, number: number) => SimulatedResponse

/** By the end of the path, so that every vendor's base path works; the longer ending comes first. */
const endpoints: readonly (readonly [ending: string, endpoint: Endpoint])[] = [
  ['/chat/completions', chat],
  ['/chatcompletion_v2', chat],
  ['/completions', completions],
  ['/embeddings', embeddings],
  ['/moderations', moderations],
  ['/images/generations', images],
  ['/images/edits', imageEdits],
  ['/images/variations', imageEdits],
  ['/audio/speech', speech],
  ['/audio/transcriptions', transcriptions],
  ['/audio/translations', transcriptions],
]

/** Answer a call of the OpenAI wire under whatever base path. Null: no such call. */
function respondOpenAi(
  call: { method: string; path: string; json: unknown },
  behaviour: Behaviour,
  number: number,
  account: Account,
): SimulatedResponse | null {
  if (call.method === 'POST') {
    const endpoint = endpoints.find(([ending]) => call.path.endsWith(ending))?.[1]
    return endpoint ? endpoint(objectOr(call.json), behaviour, number) : null
  }
  return call.method === 'GET' ? read(call.path, account) : null
}

function read(path: string, account: Account): SimulatedResponse | null {
  const balance = Object.keys(balanceCalls)
    .filter((ending) => path.endsWith(ending))
    .sort((one, other) => other.length - one.length)[0]
  if (balance) return balanceCalls[balance]?.(account) ?? null
  if (path.endsWith('/catalog/models')) return modelCatalogue(account)
  if (path.endsWith('/models')) return modelList(account)
  const id = /\/models\/(.+)$/.exec(path)?.[1]
  return id ? oneModel(account, decodeURIComponent(id)) : null
}

const categories = ['harassment', 'hate', 'self-harm', 'sexual', 'violence']

/** Answer a moderation call; a text that names a category is flagged for it. */
function moderations(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  const inputs = Array.isArray(body['input']) ? body['input'] : [body['input']]
  const responseId = `modr-sim${number}`
  const results = inputs.map((input) => {
    const text = JSON.stringify(input) ?? ''
    const found = categories.map((category) => [category, text.includes(category)] as const)
    return {
      flagged: found.some(([, isFound]) => isFound),
      categories: Object.fromEntries(found),
      category_scores: Object.fromEntries(found.map(([category, isFound]) => [category, isFound ? 0.9 : 0.001])),
    }
  })
  const counted = countUsage(body, { completionTokens: 0 }, behaviour)
  return whole(
    { id: responseId, model: textOr(body['model'], 'omni-moderation-latest'), results },
    { ...counted, reported: undefined },
    responseId,
  )
}
