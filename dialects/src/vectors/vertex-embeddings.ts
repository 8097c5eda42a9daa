import type { Dialect } from '../core/dialect'
import { embeddingDialect } from '../core/dialect-from-codec'
import { isObject, type JsonObject } from '../core/json'
import { readsSeveral, answersIn, summedUsage } from '../core/shared/joined-responses'
import { inputPrompt } from '../core/shared/prompt'
import { hasObjects } from '../core/shared/reported-failure'
import { taskWords, writePart } from './gemini-embeddings'
import {
  mixedInputs,
  type NeutralEmbedding,
  textInputs,
  type UpstreamEmbeddingCodec,
  vectorOf,
} from '../core/neutral/embedding'
import { numberOrNull, objectOf, objectsOf, omitUndefined } from '../core/neutral/read'
import { promptUsage } from '../core/shared/reported-usage'
import { readUsage } from '../core/shared/usage'
import type { ReportedUsage } from '../core/usage'

/** Models of Google that embed one content in a call, by `:embedContent`, as its own SDK distinguishes them; others embed a list by `:predict`. */
export const embedsContent = (model: string): boolean => model.includes('gemini') && model !== 'gemini-embedding-001'

/** Vectors of Google Cloud. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
export const vertexEmbeddingsCodec: UpstreamEmbeddingCodec = {
  writeCall: (call, warn) => {
    if (call.user !== null) warn('user')
    return embedsContent(call.model) ? writeContent(call) : writeInstances(call)
  },

  readAnswer: (answer) => {
    const answers = answersIn(answer)
    return {
      model: '',
      vectors: answers.flatMap(embeddingsIn).map(({ values }) => vectorOf(values)),
      usage: summedUsage(answers.map(usageOf)),
    }
  },
}

const taskOf = ({ task }: NeutralEmbedding): string | undefined => (task === null ? undefined : taskWords[task])

function writeContent(call: NeutralEmbedding): JsonObject {
  const config = omitUndefined({
    taskType: taskOf(call),
    title: call.title ?? undefined,
    outputDimensionality: call.dimensions ?? undefined,
  })
  return omitUndefined({
    content: { role: 'user', parts: mixedInputs(call).flatMap(({ parts }) => parts.map(writePart)) },
    embedContentConfig: Object.keys(config).length > 0 ? config : undefined,
  })
}

const writeInstances = (call: NeutralEmbedding): JsonObject =>
  omitUndefined({
    instances: textInputs(call).map((content) =>
      omitUndefined({ content, task_type: taskOf(call), title: call.title ?? undefined }),
    ),
    parameters: call.dimensions === null ? undefined : { outputDimensionality: call.dimensions },
  })

const embeddingsIn = ({ embedding, predictions }: JsonObject): readonly JsonObject[] =>
  Array.isArray(predictions)
    ? objectsOf(predictions).map(({ embeddings }) => objectOf(embeddings))
    : [objectOf(embedding)]

/** Either of the whole or of each vector. */
function usageOf(answer: JsonObject): ReportedUsage | null {
  const reported = objectOf(answer['usageMetadata'])['promptTokenCount']
  const each = embeddingsIn(answer).map(({ statistics }) => numberOrNull(objectOf(statistics)['token_count']) ?? 0)
  return promptUsage(readUsage({ prompt_tokens: reported ?? each.reduce((sum, count) => sum + count, 0) }))
}

/** `:predict` and `:embedContent` of Google Cloud; only upstreams speak it. */
export const vertexEmbeddings: Dialect = readsSeveral(
  embeddingDialect(
    'vertex-embeddings',
    vertexEmbeddingsCodec,
    (body) => inputPrompt(body, 'instances', 'content'),
    ({ predictions, embedding }) => hasObjects(predictions) || isObject(embedding),
  ),
)
