import type { Dialect } from '../../core/dialect'
import { openAiRealtime } from '../openai-realtime/dialect'

/** Events over a WebSocket in the shape that OpenAI's had in its beta. https://www.alibabacloud.com/help/en/model-studio/realtime */
export const dashScopeRealtime: Dialect = { ...openAiRealtime, id: 'dashscope-realtime', headers: [] }
