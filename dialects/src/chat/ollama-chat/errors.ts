import type { ErrorView } from '../../core/views'
import type { JsonObject } from '../../core/json'

/** The body of an error. https://docs.ollama.com/api/errors */
export const ollamaError = ({ message }: ErrorView): JsonObject => ({ error: message })

const encoder = new TextEncoder()

export const ollamaErrorEvent = (error: ErrorView): Uint8Array =>
  encoder.encode(`data: ${JSON.stringify(ollamaError(error))}\n\n`)
