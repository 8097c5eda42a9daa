import { isObject, listOr, objectOr, textOr, type JsonObject } from '../json'
import type { RealtimeBehaviour, RealtimeUsage, SessionScript, StandInSession } from './script'

const usualUsage: RealtimeUsage = { textIn: 20, audioIn: 100, textOut: 10, audioOut: 40 }

const counts = (...entries: readonly (readonly [string, number])[]): JsonObject[] =>
  entries.flatMap(([modality, tokenCount]) => (tokenCount === 0 ? [] : [{ modality, tokenCount }]))

/** The usage of a turn as Google reports it. */
function usageMetadata({ textIn = 0, audioIn = 0, textOut = 0, audioOut = 0 }: RealtimeUsage): JsonObject {
  return {
    promptTokenCount: textIn + audioIn,
    responseTokenCount: textOut + audioOut,
    totalTokenCount: textIn + audioIn + textOut + audioOut,
    promptTokensDetails: counts(['TEXT', textIn], ['AUDIO', audioIn]),
    responseTokensDetails: counts(['TEXT', textOut], ['AUDIO', audioOut]),
  }
}

/** A session of Gemini Live: https://ai.google.dev/api/live. A turn begins with text, or with the end of what is said. */
export class GeminiSession implements StandInSession {
  #hasSetup = false
  #tool = ''
  #isTranscribed = false

  constructor(private readonly script: SessionScript) {}

  receive(message: JsonObject): void {
    const { setup, clientContent, realtimeInput, toolResponse } = message
    if (isObject(setup)) return this.#setUp(setup)
    // What comes before the setup ends the session.
    if (!this.#hasSetup) return this.script.break()
    const { text, audioStreamEnd, activityEnd } = objectOr(realtimeInput)
    const isResponseDue = objectOr(clientContent)['turnComplete'] === true || isObject(toolResponse)
    if (isResponseDue || typeof text === 'string' || audioStreamEnd === true || isObject(activityEnd))
      void this.#respond(this.script.next())
  }

  #setUp(setup: JsonObject): void {
    this.#hasSetup = true
    const [tool] = listOr(setup['tools'])
    const [declared] = listOr(objectOr(tool)['functionDeclarations'])
    this.#tool = textOr(objectOr(declared)['name'], '')
    this.#isTranscribed = 'inputAudioTranscription' in setup
    this.#send({ setupComplete: {} })
  }

  async #respond({ text = 'Hello there', audio = 2, usage = usualUsage, gate, fault, messages }: RealtimeBehaviour) {
    if (messages) {
      for (const message of messages) this.#send(message)
      return
    }
    if (this.#tool !== '') {
      const functionCalls = [{ id: 'call_1', name: this.#tool, args: { city: 'Paris' } }]
      this.#tool = ''
      return this.#send({ toolCall: { functionCalls }, ...(usage && { usageMetadata: usageMetadata(usage) }) })
    }
    if (this.#isTranscribed) this.#send({ serverContent: { inputTranscription: { text: 'what was said' } } })
    const data = Buffer.alloc(4_800).toString('base64')
    for (let part = 0; part < audio; part += 1)
      this.#send({
        serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data } }] } },
      })
    this.#send({ serverContent: { outputTranscription: { text } } })
    if (fault === 'break') return this.script.break()
    if (gate) await gate
    this.#send({ serverContent: { generationComplete: true } })
    this.#send({ serverContent: { turnComplete: true }, ...(usage && { usageMetadata: usageMetadata(usage) }) })
    if (usage) this.script.recordUsage(usage)
    if (fault === 'close') this.script.close()
  }

  #send(message: JsonObject): void {
    this.script.send(JSON.stringify(message))
  }
}
