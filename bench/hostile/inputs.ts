import { readClientEvent, readSessionReport } from '../../dialects/src/index'
import { LineUnframer } from '../../providers/src/vendors/ollama'
import { clientAddress } from '../../gateway/src/http/request/client-address'
import { redact } from '../../gateway/src/platform/telemetry/log/redact'
import { mask } from '../../gateway/src/platform/text/mask'
import { measuredSeconds } from '../../gateway/src/billing/metering/media/recordings'
import { cutForm } from '../../gateway/src/relay/admission/cut-form'
import { parseBody } from '../../gateway/src/relay/admission/read-body'
import { createWordMatcher } from '../../gateway/src/relay/content-policy/forbidden-words'
import { nextTurn } from '../../gateway/src/platform/time/timers'

import { quietly, times, type HostileInput } from './hostile-input'
import { requestInputs } from './request-inputs'
import { batchInputs } from './batch-inputs'
import { storedInputs } from './stored-inputs'
import { responseInputs } from './response-inputs'
import { streamInputs } from './stream-inputs'

const form = (...parts: readonly string[]) => Buffer.from(`--b\r\n${parts.join('\r\n--b\r\n')}\r\n--b--`)
const field = 'Content-Disposition: form-data; name="a"'

const readBody = (text: string) => () => parseBody(text, 'openai-chat').catch(() => null)

const matching = (lines: readonly string[], text: (size: number) => string) => (size: number) => {
  const matcher = createWordMatcher(lines)
  const texts = [text(size)]
  return () => matcher.find(texts)
}

const headers = (size: number, value: (size: number) => string) => () =>
  clientAddress(
    new Request('http://gateway.test', { headers: { 'x-forwarded-for': value(size) } }),
    '127.0.0.1',
    ['127.0.0.0/8'],
    { ReverseProxyEnabled: true, ReverseProxyProvider: 'nginx' },
  )

export const hostileInputs: readonly HostileInput[] = [
  {
    name: 'forms: spaces in the headers of parts',
    size: 60,
    make: (size) => {
      const body = form(...times(size, () => `X-A:${' '.repeat(7000)}\n\r\n${field}\r\n\r\n1`))
      const whole = form(...times(size, () => `X-A:a${' '.repeat(7000)}y\r\n${field}\r\n\r\n1`))
      return () => [body, whole].forEach((one) => quietly(() => cutForm(one, 'b')))
    },
  },
  {
    name: 'forms: parameters of a disposition',
    size: 60,
    make: (size) => {
      const body = form(...times(size, () => `${field};a="${'\\"'.repeat(3000)}"\r\n\r\n1`))
      return () => quietly(() => cutForm(body, 'b'))
    },
  },
  {
    name: 'forms: dashes that begin boundaries',
    size: 500_000,
    make: (size) => {
      const body = form(`${field}\r\n\r\n${'\r\n--'.repeat(size)}`)
      return () => quietly(() => cutForm(body, 'b'))
    },
  },
  { name: 'bodies: deep JSON', size: 2_000_000, make: (size) => readBody('['.repeat(size)) },
  {
    name: 'bodies: many small objects',
    size: 20_000,
    make: (size) => readBody(`[${[...times(size, (index) => `{"n${index % 50}":0}`)].join(',')}]`),
  },
  { name: 'bodies: escapes', size: 400_000, make: (size) => readBody(`{"a":"${'\\u00e9'.repeat(size)}"}`) },
  { name: 'bodies: strings that never end', size: 500_000, make: (size) => readBody(`{"a":"${'\\"'.repeat(size)}`) },
  {
    name: 'bodies: as many whole numbers as there may be',
    size: 2_000_000,
    isAtLimit: true,
    make: (size) => readBody(`{"model":"m","input":[${'1,'.repeat(size - 1)}1]}`),
  },
  {
    name: 'bodies: as many digits as there may be',
    size: 750_000,
    isAtLimit: true,
    make: (size) => readBody(`{"model":"m","input":[${'0.1234567890123456,'.repeat(size - 1)}1]}`),
  },
  {
    name: 'bodies: a number of many digits',
    size: 15_000_000,
    isAtLimit: true,
    make: (size) => readBody(`{"a":${'1'.repeat(size)}}`),
  },
  {
    name: 'bodies: numbers of many digits',
    size: 30,
    isAtLimit: true,
    make: (size) => readBody(`{"a":[${[...times(size, () => '1'.repeat(500_000))].join(',')}]}`),
  },
  { name: 'bodies: blanks', size: 15_000_000, isAtLimit: true, make: (size) => readBody(`{"a":0${' '.repeat(size)}}`) },
  {
    name: 'bodies: long strings',
    size: 60,
    make: (size) => readBody(`[${[...times(size, () => `"${'x'.repeat(20_000)}"`)].join(',')}]`),
  },
  {
    name: 'prompts: a pattern of the operator',
    size: 50_000,
    make: matching(['regex:(make|build)\\s+(a\\s+)?bomb'], (size) => 'make a '.repeat(size)),
  },
  {
    name: 'prompts: forty words',
    size: 100_000,
    make: matching([...times(40, (index) => `word${index}`)], (size) => 'wordword '.repeat(size)),
  },
  {
    name: 'log lines: beginnings of web tokens',
    // Both sizes are more than a core's cache has room for: a text that fits takes half the time a byte.
    size: 400_000,
    make: (size) => {
      const text = 'eyJaaaaaaaa-'.repeat(size)
      return () => redact(text)
    },
  },
  {
    name: 'log lines: addresses and keys',
    size: 30_000,
    make: (size) => {
      const text = 'a://b ?key=Bearer gha_* sk-a '.repeat(size)
      return () => redact(text)
    },
  },
  {
    name: 'messages of upstreams: hosts',
    size: 100_000,
    make: (size) => {
      const text = 'a.a-'.repeat(size)
      return () => mask(text)
    },
  },
  {
    name: 'a line of Ollama in small pieces',
    size: 200_000,
    make: (size) => {
      const piece = Buffer.from('x'.repeat(16))
      return async () => {
        const lines = new LineUnframer()
        for (let sent = 0; sent < size; sent += 1) {
          lines.push(piece)
          if (sent % 4096 === 0) await nextTurn()
        }
      }
    },
  },
  {
    name: 'realtime: deep messages',
    size: 2_000_000,
    make: (size) => {
      const text = `{"type":"x","a":${'['.repeat(size)}${']'.repeat(size)}}`
      return () => readClientEvent(text)
    },
  },
  {
    name: 'realtime: sound with a wrong end',
    size: 4_000_000,
    make: (size) => {
      const text = `{"type":"input_audio_buffer.append","audio":"${'A'.repeat(size)}`
      return () => readClientEvent(text)
    },
  },
  {
    name: 'realtime: empty messages of an upstream',
    size: 50_000,
    make: (size) => () => {
      for (let count = 0; count < size; count += 1) readSessionReport('{}')
    },
  },
  {
    name: 'recordings of empty frames',
    size: 250_000,
    make: (size) => {
      const bytes = Buffer.concat([...times(size / 7, () => Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 0xff, 0xfc]))])
      return () => measuredSeconds({ bytes, size: bytes.length })
    },
  },
  {
    name: 'headers: a chain of proxies',
    size: 600,
    make: (size) => headers(size, (length) => '127.0.0.1, '.repeat(length)),
  },
  ...requestInputs,
  ...responseInputs,
  ...batchInputs,
  ...streamInputs,
  ...storedInputs,
]
