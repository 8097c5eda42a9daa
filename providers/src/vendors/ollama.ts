import { bearer } from '../auth'
import { keyFormat, baseUrlField } from '../fields'
import { parseNamedModels } from '../model-list'
import { openAiChat, openAiCompletions, plainTranscriptions, withoutUnknown } from '../modes'
import { defineProvider, type ModeDescription, type Target, type Unframer } from '../provider'
import { renameMember, composeShape } from '../shape'

const home = 'http://localhost:11434'

const before = Buffer.from('data: ')
const after = Buffer.from('\n\n')
const lineFeed = 0x0a
/** Longer lines are skipped. */
const maxLineLength = 16 * 1024 * 1024

/** Makes an event of each line of a stream that has one JSON text a line. */
export class LineUnframer implements Unframer {
  /** What is known of a line without an end, in the first bytes: it may come in very small pieces. */
  #buffer: Buffer = Buffer.alloc(0)
  #length = 0

  push(bytes: Uint8Array): Uint8Array {
    const events: Buffer[] = []
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      events.push(...eventOf(this.#line(bytes.subarray(start, end))))
      start = end + 1
    }
    const written = Buffer.concat(events)
    this.#keep(bytes.subarray(start))
    return written
  }

  end(): Uint8Array {
    return Buffer.concat(eventOf(this.#line(new Uint8Array())))
  }

  #line(end: Uint8Array): Buffer {
    const line = Buffer.concat([this.#buffer.subarray(0, this.#length), end])
    this.#length = 0
    return line
  }

  #keep(rest: Uint8Array): void {
    const length = this.#length + rest.length
    if (length > maxLineLength) {
      this.#length = 0
      return
    }
    if (length > this.#buffer.length) {
      const grown = Buffer.alloc(length * 2)
      this.#buffer.copy(grown, 0, 0, this.#length)
      this.#buffer = grown
    }
    this.#buffer.set(rest, this.#length)
    this.#length = length
  }
}

const eventOf = (line: Buffer): Buffer[] => (line.toString('latin1').trim() === '' ? [] : [before, line, after])

const at =
  (call: string) =>
  ({ baseUrl }: Target): string =>
    `${baseUrl.replace(/\/v1$/, '')}/api/${call}`

/** https://docs.ollama.com/api/chat; the compatible address drops the size of the context and what Ollama's clients say of thinking. */
const native: ModeDescription = {
  dialect: 'ollama-chat',
  url: at('chat'),
  createUnframer: () => new LineUnframer(),
  acceptsStreamOptions: false,
}

/** For clients that call it: a prompt in the model's own form, or with a text behind it, is nothing that a chat could say. */
const generate: ModeDescription = { ...native, dialect: 'ollama-generate', url: at('generate') }

/** It knows a limit by its old name alone. https://docs.ollama.com/api/openai-compatibility */
const compatible = openAiChat({
  shape: composeShape((body) => renameMember(body, 'max_completion_tokens', 'max_tokens')),
})

/** The operator's own server. */
export const ollama = defineProvider({
  type: 4,
  id: 'ollama',
  name: { en: 'Ollama', zh: 'Ollama' },
  baseUrl: home,
  auth: bearer(),
  billsAbandoned: 'none',
  key: {
    ...keyFormat('ollama'),
    hint: { en: 'API key; any text where the server asks for none', zh: 'API 密钥；服务未启用鉴权时可填任意内容' },
  },
  modes: {
    chat: ({ other, dialect }) => {
      if (other === 'openai') return compatible
      return dialect === generate.dialect ? generate : native
    },
    completions: openAiCompletions(),
    /** For models that hear. https://github.com/ollama/ollama/blob/main/docs/api/openai-compatibility.mdx */
    transcription: plainTranscriptions({ shape: composeShape(withoutUnknown('temperature')) }),
    embeddings: {
      dialect: 'ollama-embeddings',
      url: at('embed'),
      acceptsStreamOptions: false,
    },
  },
  fields: [
    baseUrlField(home, { hint: { en: `Empty: ${home}`, zh: `留空则为 ${home}` }, required: false }),
    {
      name: 'other',
      kind: 'select',
      label: { en: 'Chat API', zh: '对话接口' },
      hint: {
        en: 'The compatible one ignores num_ctx, think and keep_alive; for servers that have nothing else',
        zh: '兼容接口会忽略 num_ctx、think 和 keep_alive，仅用于没有原生接口的服务器',
      },
      default: 'native',
      options: [
        { value: 'native', label: { en: 'Ollama’s own', zh: 'Ollama 原生接口' } },
        { value: 'openai', label: { en: 'Compatible with OpenAI’s', zh: 'OpenAI 兼容接口' } },
      ],
    },
  ],
  isFree: true,
  models: ['llama3-7b', 'llama3.3', 'qwen3', 'gpt-oss:20b', 'deepseek-r1', 'gemma3', 'mistral'],
  /** https://docs.ollama.com/api/tags */
  modelList: {
    request: (target) => ({ url: `${target.baseUrl}/api/tags`, headers: bearer()(target) }),
    parse: parseNamedModels,
  },
})
