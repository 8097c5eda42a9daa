import { aiProxy } from './aiproxy/dialect'
import { anthropic } from './anthropic/dialect'
import { baidu } from './baidu/dialect'
import { bedrock } from './bedrock/dialect'
import { cohere } from './cohere/dialect'
import { coze } from './coze/dialect'
import type { Call, Dialect } from './dialect'
import { dify } from './dify/dialect'
import { gemini } from './gemini/dialect'
import { jina } from './jina/dialect'
import { hunyuan } from './hunyuan/dialect'
import { ollama } from './ollama/dialect'
import { openai } from './openai/dialect'
import { openaiResponses } from './openai-responses/dialect'
import { palm } from './palm/dialect'
import { spark } from './spark/dialect'
import { vertex, vertexAnthropic } from './vertex/dialect'
import { zhipu } from './zhipu/dialect'

/** The first that serves a call answers it. */
const dialects: readonly Dialect[] = [
  anthropic,
  baidu,
  vertex,
  vertexAnthropic,
  palm,
  gemini,
  openaiResponses,
  bedrock,
  cohere,
  jina,
  ollama,
  zhipu,
  aiProxy,
  spark,
  hunyuan,
  dify,
  coze,
]

export const dialectOf = (call: Call): Dialect => dialects.find((dialect) => dialect.serves(call)) ?? openai
