import type { ErrorView } from '../views'
import type { JsonObject } from '../json'
import type { Usage } from '../usage'
import type { AnswerEvent, BlockStart, Delta, FinishReason } from './events'

/** Writes the events of an answer in a dialect without choices: of several the first. Nothing follows a failure or the end. */
export abstract class FirstChoiceWriter {
  error: ErrorView | null = null
  isOver = false
  protected reason: FinishReason = 'stop'
  protected usage: Usage | null = null

  protected abstract start(): JsonObject[]
  protected abstract beginBlock(event: BlockStart): JsonObject[]
  protected abstract delta(delta: Delta): JsonObject[]
  protected abstract endBlock(): JsonObject[]
  protected abstract fail(error: ErrorView): JsonObject[]
  protected abstract end(): JsonObject[]

  take(event: AnswerEvent): JsonObject[] {
    if (this.isOver || ('choice' in event && event.choice > 0)) return []
    switch (event.type) {
      case 'answer-start':
        return this.start()
      case 'block-start':
        return this.beginBlock(event)
      case 'block-delta':
        return this.delta(event.delta)
      case 'block-end':
        return this.endBlock()
      case 'choice-end':
        this.reason = event.reason
        return []
      case 'usage':
        this.usage = event.usage
        return []
      case 'failure':
        this.error = event.error
        this.isOver = true
        return this.fail(event.error)
      case 'answer-end':
        this.isOver = true
        return this.end()
      default:
        return []
    }
  }
}
